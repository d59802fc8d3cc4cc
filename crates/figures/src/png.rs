//! Converts SVG to PNG at double size. The font is part of the program, because a machine may have no fonts.

use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// The font of all figures: DejaVu Sans, reduced to the characters of European languages.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../fonts/DejaVuSans-subset.ttf").to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// The number of dots in the PNG for each pixel of the SVG, in both directions.
const SCALE: f32 = 2.0;

/// Converts a figure from SVG to PNG.
pub fn png(svg: &str) -> Vec<u8> {
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "DejaVu Sans".to_string(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).expect("our own figures can be read");
    let [width, height] = [tree.size().width(), tree.size().height()].map(|length| (length * SCALE).ceil() as u32);
    let mut dots = tiny_skia::Pixmap::new(width.max(1), height.max(1)).expect("figures are of a modest size");
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut dots.as_mut());
    dots.encode_png().expect("dots can be written to memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_drawn_also_on_a_machine_without_fonts() {
        let picture = |words: &str| {
            let text = format!("<text y=\"15\" font-family=\"'DejaVu Sans', Verdana, sans-serif\">{words}</text>");
            png(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\">{text}</svg>"))
        };
        // A character that is in no font. All characters below must look different from it.
        let missing = picture("\u{f8ff}");
        for sign in ["a", "Ω", "é", "−", "…", "–", "≤", "×", "“"] {
            assert!(picture(sign) != missing && picture(sign) != picture(""), "{sign} is missing");
        }
    }
}
