#pragma once

#include <QApplication>
#include <QIcon>
#include <QPalette>
#include <QString>

#include <optional>

namespace lapbench {

enum class Theme { system, light, dark };

/// "light", "dark", "system"; nothing for another word.
std::optional<Theme> parseTheme(const QString& name);

/// Fusion with one of Lapbench's palettes; `system` keeps the desktop's palette. Once at the start, or to switch.
void applyTheme(QApplication& application, Theme theme);

/// The line icon resources/icons/NAME.svg in the text colour of a palette.
QIcon lineIcon(const QString& name, const QPalette& palette, QPalette::ColorRole role = QPalette::ButtonText);

/// The colours of a message: text-sized marks, with contrast on the palette's base.
QColor warningColour(const QPalette& palette);
QColor errorColour(const QPalette& palette);
QColor goodColour(const QPalette& palette);

/// A font whose digits all have one width.
QFont tabularFont(const QFont& font);

} // namespace lapbench
