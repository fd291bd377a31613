"""Prints every sample of OpenMetrics text from stdin as JSON lines, by the parser of Prometheus' own client library."""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

for family in text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        time = None if sample.timestamp is None else float(sample.timestamp)
        print(json.dumps({"family": family.name, "type": family.type, "unit": family.unit, "name": sample.name,
                          "labels": sample.labels, "value": float(sample.value), "time": time}))
