//! The pinned wheel that brings Z3: fetched by pip, checked by its hash, unpacked once.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::step::{self, Step};

/// The version of the wheel.
pub(super) const VERSION: &str = "5.3.2.0";

/// The version of Z3 in it, which the bindings name as theirs.
pub(super) const Z3_VERSION: &str = "5.3.2";

/// SHA-256 of the wheels, by the operating system and processor that each is for.
const HASHES: &[(&str, &str, &str)] = &[
    ("linux", "x86_64", "f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935"),
    ("linux", "aarch64", "b8add6becdc222090b78d4bd5300b6a212d5ecfb0e3eadb1df008b43ddef8602"),
    ("macos", "aarch64", "ac0c1457a8e7a487470386af5f60d6fef7c10db40004647fcfa7dc6e6ccec190"),
    ("macos", "x86_64", "27f1b0e6333b8b1d57653ef7db34fc9901ed2983b0cb9fb1efd27840e5ea880a"),
];

/// The description that pkg-config reads. It names no folder but its own, so it may be moved.
fn description() -> String {
    format!(
        "prefix=${{pcfiledir}}\n\
         Name: z3\n\
         Description: The Z3 theorem prover\n\
         Version: {Z3_VERSION}\n\
         Libs: -L${{prefix}}/lib -lz3\n\
         Cflags: -I${{prefix}}/include\n"
    )
}

/// The folder into which this version was unpacked, if it was and is complete.
pub(super) fn find(cache: &Path) -> Option<PathBuf> {
    let folder = match known_hash() {
        Some(hash) => cache.join(folder_name(hash)),
        None => unpacked_before(cache)?,
    };
    is_complete(&folder).then_some(folder)
}

/// Downloads, checks and unpacks the wheel.
pub(super) fn fetch(cache: &Path) -> Result<PathBuf, Failure> {
    let work = cache.join(format!(".unpacking-{}", std::process::id()));
    fs::create_dir_all(&work).map_err(|error| Failure::file(&work, &error))?;
    let folder = fetch_in(cache, &work);
    // What is left there is of no use to anyone, whether or not it can be removed.
    let _ = fs::remove_dir_all(&work);
    folder
}

fn fetch_in(cache: &Path, work: &Path) -> Result<PathBuf, Failure> {
    let work_text = work.to_string_lossy();
    let requirement = format!("z3-solver=={VERSION}");
    let dest = ["--dest", &work_text, &requirement];
    Step::new("python3", "-m pip download --no-deps --only-binary=:all:").and(dest).run()?;
    let wheel = first_with_suffix(work, ".whl")?;
    let hash = hash_of(&wheel)?;
    check(&wheel, &hash)?;
    let wheel = wheel.to_string_lossy();
    Step::new("python3", "-m zipfile -e").and([&*wheel, &*work_text]).run()?;
    let kept = kept_part(work)?;
    if !is_complete(&kept) {
        return Err(Failure::new(format!("`{wheel}` lacks the library or its headers")));
    }
    put_in_place(&kept, &cache.join(folder_name(&hash)))
}

/// The library, its headers and their description, without what Python would need.
fn kept_part(work: &Path) -> Result<PathBuf, Failure> {
    let kept = work.join("kept");
    fs::create_dir(&kept).map_err(|error| Failure::file(&kept, &error))?;
    for part in ["lib", "include"] {
        let from = work.join("z3").join(part);
        fs::rename(&from, kept.join(part)).map_err(|error| Failure::file(&from, &error))?;
    }
    let path = kept.join("z3.pc");
    fs::write(&path, description()).map_err(|error| Failure::file(&path, &error))?;
    Ok(kept)
}

/// Renames, so that nobody ever sees a folder that is half there.
fn put_in_place(unpacked: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    if folder.exists() && !is_complete(folder) {
        fs::remove_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    }
    match fs::rename(unpacked, folder) {
        // Another setup was faster, which is just as good.
        Err(_) if is_complete(folder) => Ok(folder.to_path_buf()),
        Err(error) => Err(Failure::file(folder, &error)),
        Ok(()) => Ok(folder.to_path_buf()),
    }
}

fn check(wheel: &Path, hash: &str) -> Outcome {
    match known_hash() {
        Some(known) if known == hash => Ok(()),
        Some(known) => Err(Failure::new(format!(
            "`{}` has the SHA-256 {hash} instead of {known}; it was not unpacked",
            wheel.display()
        ))),
        None => {
            step::notice(&format!(
                "no hash is known for this platform, so the wheel was NOT verified: {hash}"
            ));
            Ok(())
        }
    }
}

fn hash_of(file: &Path) -> Result<String, Failure> {
    const SCRIPT: &str =
        "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())";
    Step::new("python3", "-c")
        .and([SCRIPT, &file.to_string_lossy()])
        .output()
        .ok_or_else(|| Failure::new(format!("`{}` cannot be hashed", file.display())))
}

fn known_hash() -> Option<&'static str> {
    let here = (std::env::consts::OS, std::env::consts::ARCH);
    HASHES.iter().find(|(system, processor, _)| (*system, *processor) == here).map(|it| it.2)
}

fn folder_name(hash: &str) -> String {
    format!("{VERSION}-{}", hash.get(..12).unwrap_or(hash))
}

/// Where the hash is not known beforehand, any folder of this version serves.
fn unpacked_before(cache: &Path) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(cache).ok()?.filter_map(|it| Some(it.ok()?.path())).collect();
    folders.sort();
    let prefix = format!("{VERSION}-");
    folders
        .into_iter()
        .find(|it| it.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
}

fn is_complete(folder: &Path) -> bool {
    let library = if cfg!(target_os = "macos") { "lib/libz3.dylib" } else { "lib/libz3.so" };
    [library, "include/z3.h", "z3.pc"].iter().all(|it| folder.join(it).is_file())
}

fn first_with_suffix(folder: &Path, suffix: &str) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.to_string_lossy().ends_with(suffix))
        .ok_or_else(|| Failure::new(format!("pip left no wheel in `{}`", folder.display())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{HASHES, description, folder_name, hash_of, is_complete, put_in_place};

    #[test]
    fn the_table_is_well_formed() {
        for (system, processor, hash) in HASHES {
            assert_eq!(hash.len(), 64, "{system} {processor}");
            assert!(hash.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')), "{hash}");
        }
        assert_eq!(folder_name(HASHES[0].2), "5.3.2.0-f17df0730022");
    }

    #[test]
    fn the_description_names_no_folder() {
        assert!(!description().contains("=/"), "{}", description());
        assert!(description().contains("Libs: -L${prefix}/lib -lz3\n"), "{}", description());
    }

    #[test]
    fn a_broken_folder_is_replaced_and_a_whole_one_kept() {
        let base = std::env::temp_dir().join(format!("assay-xtask-{}", std::process::id()));
        let make = |name: &str, complete: bool| {
            let folder = base.join(name);
            fs::create_dir_all(folder.join("lib")).unwrap();
            fs::create_dir_all(folder.join("include")).unwrap();
            for file in ["lib/libz3.so", "lib/libz3.dylib", "include/z3.h"] {
                fs::write(folder.join(file), name).unwrap();
            }
            if complete {
                fs::write(folder.join("z3.pc"), name).unwrap();
            }
            folder
        };
        let target = make("target", false);
        assert!(!is_complete(&target));
        put_in_place(&make("first", true), &target).unwrap();
        assert_eq!(fs::read_to_string(target.join("z3.pc")).unwrap(), "first");
        put_in_place(&make("second", true), &target).unwrap();
        assert_eq!(fs::read_to_string(target.join("z3.pc")).unwrap(), "first");
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn hashes_are_those_of_the_file() {
        let file = std::env::temp_dir().join(format!("assay-xtask-hash-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash_of(&file).unwrap(), expected);
        fs::remove_file(file).unwrap();
    }
}
