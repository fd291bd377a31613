#pragma once

#include <QColor>
#include <QPalette>

namespace lapbench {

/// Whether a palette is dark, by the lightness of its base.
bool isDark(const QPalette& palette);

/// The colour of target `index`, the same in tables, lists and charts: Okabe-Ito order, lightened on a dark palette
/// where the contrast would be too small. From the ninth target on they repeat.
QColor targetColour(int index, const QPalette& palette);

/// Text of second rank: between text and background.
QColor quietColour(const QPalette& palette);
/// Lines that only structure: grids, frames.
QColor hairlineColour(const QPalette& palette);

} // namespace lapbench
