#include "ui/style/target_colours.h"

#include <array>

namespace lapbench {

namespace {

// Okabe & Ito, "Color Universal Design", with its yellow and black replaced by brown and grey, which keep contrast on
// white.
constexpr std::array<QRgb, 8> kOnLight = {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                          0xff56b4e9, 0xffd55e00, 0xff8c6d31, 0xff5b5b5b};
constexpr std::array<QRgb, 8> kOnDark = {0xff4aa8e0, 0xfff0b429, 0xff2bc79a, 0xffdd94bd,
                                         0xff8fd0f5, 0xfff08040, 0xffb9985a, 0xffa8a8a8};

QColor between(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

} // namespace

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < 128;
}

QColor targetColour(int index, const QPalette& palette)
{
    const auto& colours = isDark(palette) ? kOnDark : kOnLight;
    return QColor(colours[static_cast<std::size_t>(index < 0 ? 0 : index) % colours.size()]);
}

QColor quietColour(const QPalette& palette)
{
    return between(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.38);
}

QColor hairlineColour(const QPalette& palette)
{
    return between(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.85);
}

} // namespace lapbench
