//! Objects of which a linker keeps one.
//!
//! C++ compilers put inline functions into COMDAT groups: of all groups with the same signature, which is a symbol's name, a
//! linker keeps the first. C has no word for that, so the group is added to the object that a C compiler has written. See "Section
//! groups" in the System V ABI.

use object::elf::{
    FileHeader64, GRP_COMDAT, SHF_ALLOC, SHF_GROUP, SHF_INFO_LINK, SHN_LORESERVE, SHT_GROUP, SHT_NOTE, SHT_REL,
    SHT_RELA, SHT_SYMTAB, SHT_SYMTAB_SHNDX, SectionHeader64, Sym64, SymbolSection,
};
use object::endian::{Endianness, U32};
use object::pod::{bytes_of_slice, from_bytes_mut, slice_from_all_bytes_mut};
use object::read::elf::{FileHeader, SectionHeader, SectionTable};

type File = FileHeader64<Endianness>;
type Section = SectionHeader64<Endianness>;

/// The object with its code and data in a group; `signature` is a function of it. `None` where that cannot be done: this is no
/// 64-bit ELF object with that function, or has groups already.
pub fn link_once(object: &[u8], signature: &str) -> Option<Vec<u8>> {
    let file = File::parse(object).ok()?;
    let endian = file.endian().ok()?;
    let table = file.sections(endian, object).ok()?;
    let symbols = table.symbols(endian, object, SHT_SYMTAB).ok()?;
    let is_signature = |symbol| symbols.symbol_name(endian, symbol).is_ok_and(|name| name == signature.as_bytes());
    let (signature, _) = symbols.enumerate().find(|(_, symbol)| is_signature(symbol))?;
    let has = |ty| table.iter().any(|section| section.sh_type(endian) == ty);
    if has(SHT_GROUP) || has(SHT_SYMTAB_SHNDX) || table.len() + 1 >= usize::from(SHN_LORESERVE) {
        return None;
    }
    let names = file.section_strings_index(endian, object).ok()?.0;
    let mut edited = Edited { endian, bytes: object.to_vec(), sections: table.iter().copied().collect() };
    edited.grow(symbols.section().0)?;
    let name = edited.add_name(names)?;
    edited.add_group(&members(&table, endian), name, [symbols.section().0 as u32 + 1, signature.0 as u32]);
    edited.finish(names as u32 + 1)
}

/// The sections with code and data, and what relocates them.
///
/// Tables of frames are none of them, as compilers have it: linkers drop from these what belongs to code that they drop.
fn members(table: &SectionTable<'_, File>, endian: Endianness) -> Vec<usize> {
    let is_content = |section: &Section| {
        let is_table = section.sh_type(endian) == SHT_NOTE || table.section_name(endian, section) == Ok(b".eh_frame");
        section.sh_flags(endian).contains(SHF_ALLOC) && !is_table
    };
    let target = |section: &Section| table.section(section.info_link(endian)).ok();
    let is_member = |section: &Section| match section.sh_type(endian) {
        SHT_REL | SHT_RELA => target(section).is_some_and(is_content),
        _ => is_content(section),
    };
    table.enumerate().filter(|(_, section)| is_member(section)).map(|(index, _)| index.0).collect()
}

/// An object that gets a section in front of all others.
struct Edited {
    endian: Endianness,
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

impl Edited {
    /// Adds one to all numbers of sections; `symbols` is the section with the table of symbols.
    fn grow(&mut self, symbols: usize) -> Option<()> {
        let endian = self.endian;
        for section in &mut self.sections {
            let has_info = section.sh_flags(endian).contains(SHF_INFO_LINK);
            if has_info || matches!(section.sh_type(endian), SHT_REL | SHT_RELA) {
                move_up(&mut section.sh_info, endian);
            }
            move_up(&mut section.sh_link, endian);
        }
        let table = &self.sections[symbols];
        let (start, size) = (table.sh_offset.get(endian) as usize, table.sh_size.get(endian) as usize);
        let symbols = self.bytes.get_mut(start..start + size)?;
        for symbol in slice_from_all_bytes_mut::<Sym64<Endianness>>(symbols).ok()? {
            if let Some(section) = symbol.st_shndx.get(endian).index() {
                symbol.st_shndx.set(endian, SymbolSection::new(u32::from(section) + 1));
            }
        }
        Some(())
    }

    /// Where the name of the new section is in the table of names.
    fn add_name(&mut self, names: usize) -> Option<u32> {
        let endian = self.endian;
        let (start, size) = (self.sections[names].sh_offset.get(endian), self.sections[names].sh_size.get(endian));
        let names_now = self.bytes.get(start as usize..(start + size) as usize)?;
        let names_then = [names_now, b".group\0"].concat();
        let offset = self.append(&names_then);
        self.sections[names].sh_offset.set(endian, offset);
        self.sections[names].sh_size.set(endian, names_then.len() as u64);
        u32::try_from(size).ok()
    }

    fn add_group(&mut self, members: &[usize], name: u32, [link, info]: [u32; 2]) {
        let endian = self.endian;
        let mut content = vec![U32::new(endian, GRP_COMDAT.0)];
        for member in members {
            let section = &mut self.sections[*member];
            section.sh_flags.set(endian, section.sh_flags(endian) | SHF_GROUP);
            content.push(U32::new(endian, *member as u32 + 1));
        }
        let mut group = self.sections[0];
        group.sh_name.set(endian, name);
        group.sh_type.set(endian, SHT_GROUP);
        group.sh_offset.set(endian, self.append(bytes_of_slice(&content)));
        group.sh_size.set(endian, size_of_val(content.as_slice()) as u64);
        group.sh_link.set(endian, link);
        group.sh_info.set(endian, info);
        group.sh_addralign.set(endian, 4);
        group.sh_entsize.set(endian, 4);
        self.sections.insert(1, group);
    }

    /// Writes the table of sections; `names` is the one with their names.
    fn finish(mut self, names: u32) -> Option<Vec<u8>> {
        let table = self.append(bytes_of_slice(&self.sections.clone()));
        let (file, _) = from_bytes_mut::<File>(&mut self.bytes).ok()?;
        file.e_shoff.set(self.endian, table);
        file.e_shnum.set(self.endian, self.sections.len() as u16);
        file.e_shstrndx.set(self.endian, SymbolSection::new(names));
        Some(self.bytes)
    }

    /// Where `content` is now.
    fn append(&mut self, content: &[u8]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(content);
        start as u64
    }
}

/// No section has the number 0.
fn move_up(number: &mut U32<Endianness>, endian: Endianness) {
    let now = number.get(endian);
    number.set(endian, now + u32::from(now > 0));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Objects for other systems, cut ones, and those of compilers that optimise while they link.
    #[test]
    fn what_is_no_elf_object_gets_no_group() {
        let objects: [&[u8]; 4] = [b"", b"\x7fELF\x02\x01\x01", b"\xcf\xfa\xed\xfe", b"BC\xc0\xde"];
        for object in objects {
            assert!(link_once(object, "stencil_run").is_none());
        }
    }
}
