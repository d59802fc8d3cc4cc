//! SVG as PNG, twice as large, with the letters that lie in the program: other machines may have none.

use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// The letters of all figures: DejaVu Sans, of which the signs of European languages are here.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../fonts/DejaVuSans-subset.ttf").to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
});

/// How many dots make a pixel.
const SCALE: f32 = 2.0;

/// The picture as PNG.
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
    fn letters_are_drawn_also_where_the_machine_has_none() {
        let picture = |words: &str| {
            let text = format!("<text y=\"15\" font-family=\"'DejaVu Sans', Verdana, sans-serif\">{words}</text>");
            png(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\">{text}</svg>"))
        };
        // A sign that nobody has; each of the others has one of its own.
        let missing = picture("\u{f8ff}");
        for sign in ["a", "Ω", "é", "−", "…", "–", "≤", "×", "“"] {
            assert!(picture(sign) != missing && picture(sign) != picture(""), "{sign} is missing");
        }
    }
}
