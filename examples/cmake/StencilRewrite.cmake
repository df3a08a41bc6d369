# Compiles C sources with marked stencil nests through stencil-rewrite. For CMake 3.20 or later; see CMakeLists.txt.
#
#   include(StencilRewrite.cmake)
#   stencil_rewrite(wave)                             # after the sources of the target are known
#   stencil_rewrite(heat OPTIONS --fp contract -q)    # options of `stencil-rewrite cc`
#
# An executable, a library or object library `wave` gets the wrapper as its compiler's launcher, before one that it has
# already, say ccache, and is linked with OpenCL; so is what links with it. Sources without the pragma compile as ever. An
# object is built again when its source, a header, its tuning file or the tool changes, and when a tuning file comes or
# goes.
#
# You may set:
#   STENCIL_REWRITE    the tool                       (stencil-rewrite, as found in the path)

function(stencil_rewrite target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
    find_program(STENCIL_REWRITE stencil-rewrite REQUIRED)
    find_package(OpenCL REQUIRED)

    get_target_property(launcher ${target} C_COMPILER_LAUNCHER)
    if(NOT launcher)
        set(launcher "")
    endif()
    set_property(TARGET ${target} PROPERTY C_COMPILER_LAUNCHER "${STENCIL_REWRITE}" cc ${arg_OPTIONS} ${launcher})

    # Properties, because a project that calls target_link_libraries without PRIVATE must not see it with.
    set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES "${OpenCL_INCLUDE_DIRS}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${OpenCL_LIBRARIES}")
    get_target_property(type ${target} TYPE)
    if(type MATCHES "STATIC|OBJECT")
        set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${OpenCL_LIBRARIES}")
    endif()

    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
        if(source MATCHES "\\.c$")
            get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
            string(REGEX REPLACE "c$" "stencil.toml" tuning "${path}")
            file(GLOB tuning CONFIGURE_DEPENDS "${tuning}")
            # Written when a tuning file has come or gone since CMake ran last.
            string(MD5 name "${path}")
            set(state "${CMAKE_CURRENT_BINARY_DIR}/stencil-rewrite/${name}")
            file(CONFIGURE OUTPUT "${state}" CONTENT "${tuning}\n" @ONLY)
            set_property(SOURCE "${path}" TARGET_DIRECTORY ${target}
                APPEND PROPERTY OBJECT_DEPENDS "${STENCIL_REWRITE}" "${state}" ${tuning})
        endif()
    endforeach()
endfunction()
