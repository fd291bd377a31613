#pragma once

#include <QString>
#include <QStringList>

namespace lapbench {

/// "export-charts", without its dashes.
QString exportChartsOption();

/// Whether the command line asks for charts in files instead of the window.
bool asksForCharts(int argc, char** argv);

/// Takes out of the environment what would make charts look different from one desktop to the next: the platform,
/// scales and resolutions. Before the QApplication is made.
void fixChartPlatform();

/// `lapbench --export-charts RESULT.. -o DIR`: draws the charts of results into files and prints the name of each that
/// was written. Everything is read and every name is free before anything is written. Needs a QApplication. Returns the
/// exit code: 0; 2 for wrong usage, a result that cannot be read, files that are there already; 4 where DIR cannot be
/// written. What is wrong is one sentence on stderr.
int exportCharts(const QStringList& arguments);

} // namespace lapbench
