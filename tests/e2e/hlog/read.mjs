// For each tag of a log: how many values, and what hdr-histogram-js says are their percentiles.
import { readFileSync } from 'node:fs';
import hdr from 'hdr-histogram-js';

const [, , file, ...percentiles] = process.argv;
const reader = new hdr.HistogramLogReader(readFileSync(file, 'utf8'), 64);
const tags = {};
const intervals = [];
for (let read = reader.nextIntervalHistogram(); read; read = reader.nextIntervalHistogram()) {
  intervals.push({ tag: read.tag, start_ms: read.startTimeStampMsec, end_ms: read.endTimeStampMsec });
  if (tags[read.tag]) tags[read.tag].add(read);
  else tags[read.tag] = read;
}
const figures = Object.entries(tags).map(([tag, all]) => [tag, {
  count: all.totalCount,
  percentiles: percentiles.map((p) => all.getValueAtPercentile(Number(p))),
}]);
console.log(JSON.stringify({ intervals, tags: Object.fromEntries(figures) }));
