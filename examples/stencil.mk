# Rules that rewrite C sources with marked stencil nests and compile what comes out. Include this
# file from a makefile (GNU make 4.3 or later) after setting STENCIL_SOURCES and before using
# STENCIL_OBJECTS; it defines no default goal. See make-rules/Makefile.
#
# You set, before the include:
#   STENCIL_SOURCES    sources to rewrite, for example  heat.c flux.c
# You may set, at any place:
#   STENCIL_REWRITE    the tool                         (stencil-rewrite)
#   STENCIL_FLAGS      its flags, with the -I, -D, -U and -std= that the sources need
#                                                       ($(CPPFLAGS) and what -std= CFLAGS has)
#   STENCIL_LIBS       what a program links with        (-lOpenCL)
# You use:
#   STENCIL_OBJECTS    for a.c: a.ocl.o, the rewritten source, and a.stencil.o, its driver
#   STENCIL_GENERATED  every file that the tool and these rules write
#   stencil-clean      a target that removes them
#
# A source is rewritten again when it changes. For a header say so:  a.ocl.c: a.h

STENCIL_REWRITE ?= stencil-rewrite
STENCIL_FLAGS ?= $(CPPFLAGS) $(filter -std=%,$(CFLAGS))
STENCIL_LIBS ?= -lOpenCL

STENCIL_OBJECTS = $(STENCIL_SOURCES:.c=.ocl.o) $(STENCIL_SOURCES:.c=.stencil.o)
STENCIL_GENERATED = $(STENCIL_OBJECTS) $(foreach kind,ocl.c stencil.c stencil.h stencil.cl,\
    $(STENCIL_SOURCES:.c=.$(kind)))

stencil_goal := $(.DEFAULT_GOAL)

# One run of the tool writes all four files.
%.ocl.c %.stencil.c %.stencil.h %.stencil.cl &: %.c
	$(STENCIL_REWRITE) $(STENCIL_FLAGS) $<

%.ocl.o: %.ocl.c %.stencil.h
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@

%.stencil.o: %.stencil.c %.stencil.h
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@

stencil-clean:
	rm -f $(STENCIL_GENERATED)

# Without this make would take the generated sources for intermediate files and delete them.
.SECONDARY: $(STENCIL_GENERATED)
.PHONY: stencil-clean

.DEFAULT_GOAL := $(stencil_goal)
