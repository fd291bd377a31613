#include "ui/style/theme.h"

#include "ui/style/target_colours.h"

#include <QFile>
#include <QPainter>
#include <QStyle>
#include <QStyleFactory>
#include <QSvgRenderer>

namespace lapbench {

namespace {

QPalette lightPalette()
{
    QPalette palette(QColor(0xf3, 0xf3, 0xf4));
    palette.setColor(QPalette::Window, QColor(0xf3, 0xf3, 0xf4));
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::AlternateBase, QColor(0xf7, 0xf8, 0xf9));
    palette.setColor(QPalette::Text, QColor(0x1e, 0x22, 0x27));
    palette.setColor(QPalette::WindowText, QColor(0x1e, 0x22, 0x27));
    palette.setColor(QPalette::ButtonText, QColor(0x1e, 0x22, 0x27));
    palette.setColor(QPalette::Highlight, QColor(0x1c, 0x62, 0xb9));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x1c, 0x62, 0xb9));
    palette.setColor(QPalette::PlaceholderText, QColor(0x7c, 0x82, 0x89));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(0x97, 0x9d, 0xa4));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(0xc4, 0xc8, 0xcd));
    return palette;
}

QPalette darkPalette()
{
    QPalette palette(QColor(0x2a, 0x2d, 0x31));
    palette.setColor(QPalette::Window, QColor(0x25, 0x28, 0x2c));
    palette.setColor(QPalette::Base, QColor(0x1c, 0x1e, 0x21));
    palette.setColor(QPalette::AlternateBase, QColor(0x21, 0x24, 0x28));
    palette.setColor(QPalette::Button, QColor(0x34, 0x38, 0x3d));
    palette.setColor(QPalette::Text, QColor(0xe4, 0xe6, 0xe9));
    palette.setColor(QPalette::WindowText, QColor(0xe4, 0xe6, 0xe9));
    palette.setColor(QPalette::ButtonText, QColor(0xe4, 0xe6, 0xe9));
    palette.setColor(QPalette::ToolTipBase, QColor(0x34, 0x38, 0x3d));
    palette.setColor(QPalette::ToolTipText, QColor(0xe4, 0xe6, 0xe9));
    palette.setColor(QPalette::Highlight, QColor(0x3b, 0x82, 0xd6));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x6c, 0xab, 0xf0));
    palette.setColor(QPalette::PlaceholderText, QColor(0x8b, 0x91, 0x98));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(0x75, 0x7b, 0x82));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(0x4a, 0x4f, 0x56));
    return palette;
}

QPixmap tinted(QSvgRenderer& renderer, const QColor& colour, int size)
{
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(pixmap.rect(), colour);
    return pixmap;
}

} // namespace

std::optional<Theme> parseTheme(const QString& name)
{
    if (name == QLatin1String("system"))
        return Theme::system;
    if (name == QLatin1String("light"))
        return Theme::light;
    if (name == QLatin1String("dark"))
        return Theme::dark;
    return std::nullopt;
}

void applyTheme(QApplication& application, Theme theme)
{
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (theme == Theme::system)
        theme = isDark(application.palette()) ? Theme::dark : Theme::light;
    application.setPalette(theme == Theme::dark ? darkPalette() : lightPalette());
}

QIcon lineIcon(const QString& name, const QPalette& palette, QPalette::ColorRole role)
{
    QSvgRenderer renderer(QStringLiteral(":/icons/%1.svg").arg(name));
    QIcon icon;
    if (!renderer.isValid())
        return icon;
    for (const int size : {16, 20, 24, 32, 48}) {
        icon.addPixmap(tinted(renderer, palette.color(QPalette::Active, role), size), QIcon::Normal);
        icon.addPixmap(tinted(renderer, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
                       QIcon::Disabled);
    }
    return icon;
}

QColor warningColour(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xf0, 0xb4, 0x29) : QColor(0x9a, 0x65, 0x00);
}

QColor errorColour(const QPalette& palette)
{
    return isDark(palette) ? QColor(0xf2, 0x7d, 0x6f) : QColor(0xb3, 0x26, 0x1e);
}

QColor goodColour(const QPalette& palette)
{
    return isDark(palette) ? QColor(0x4c, 0xc3, 0x8a) : QColor(0x1f, 0x7a, 0x4d);
}

QFont tabularFont(const QFont& font)
{
    // DejaVu, Noto Sans and the usual desktop fonts have digits of one width; Qt 6.4 offers no switch for the others.
    QFont tabular(font);
    tabular.setKerning(false);
    return tabular;
}

} // namespace lapbench
