"""Medians, ratios within rounds, and the tables of them."""
import statistics

from . import machine, servers

COLUMNS = (("rps", "req/s", "{:.0f}"), ("cpu_us", "CPU us/request", "{:.2f}"), ("user_us", "user", "{:.2f}"),
           ("system_us", "system", "{:.2f}"), ("peak_rss_mb", "peak RSS MB", "{:.1f}"),
           ("load_cores", "own core", "{:.0%}"), ("server_cores", "server's core", "{:.0%}"), ("failed", "failed", "{:.0f}"))
WITH_RATIO = ("rps", "cpu_us")
FEW_ROUNDS = 5


def versions(ran):
    """Of the generators that ran, and of nginx."""
    known = {generator.name: generator.version for generator in ran if generator.version}
    nginx = servers.find_nginx()
    if nginx:
        known["nginx"] = machine.version([nginx, "-v"], r"nginx/(\S+)")
    return known


def conditions(options):
    kept = ("rounds", "seconds", "connections", "server_core", "load_core", "http2", "tls", "scale")
    chosen = {key: getattr(options, key) for key in kept}
    if options.http2:
        chosen["streams"] = options.streams
    return chosen


def ratio(rounds, name, reference, key):
    """The median of the ratios within each round; None where the reference did not run or was 0."""
    if any(reference not in figures or not figures[reference][key] for figures in rounds):
        return None
    return statistics.median(figures[name][key] / figures[reference][key] for figures in rounds)


def table(server, rounds, reference):
    keys = [key for key, _, _ in COLUMNS]
    names = list(rounds[0])
    return {"server": server, "reference": reference, "rounds": rounds,
            "medians": {name: {key: statistics.median(figures[name][key] for figures in rounds) for key in keys}
                        for name in names},
            "ratios": {name: {key: ratio(rounds, name, reference, key) for key in keys} for name in names}}


def aligned(rows, markdown):
    """The first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]

    def line(row):
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join(cells) + " |" if markdown else "  ".join(cells).rstrip()
    lines = [line(row) for row in rows]
    if markdown:
        lines.insert(1, "| " + " | ".join(("-" * width if i == 0 else "-" * (width - 1) + ":")
                                          for i, width in enumerate(widths)) + " |")
    return "\n".join(lines)


def text(table, markdown):
    header = ["against " + table["server"]]
    for key, label, _ in COLUMNS:
        header.append(label)
        if key in WITH_RATIO:
            header.append("x " + table["reference"])
    rows = [header]
    for name, medians in table["medians"].items():
        row = [name]
        for key, _, form in COLUMNS:
            row.append(form.format(medians[key]))
            if key in WITH_RATIO:
                paired = table["ratios"][name][key]
                row.append("-" if paired is None else f"{paired:.3f}")
        rows.append(row)
    return aligned(rows, markdown)


def head(about, markdown):
    options, host = about["options"], about["machine"]
    load = f"{options['rounds']} rounds of {options['seconds']} s"
    if not options["scale"]:
        load += f", {options['connections']} connections"
    if options["http2"]:
        load += f" with {options['streams']} streams each"
    cores = ("one processor for both" if options["load_core"] is None else
             f"server on core {options['server_core']}, generator on core {options['load_core']}, one thread each")
    lines = [f"{host['date']}. {host['cpu']}, {host['processors']} processors, Linux {host['kernel']}, {host['system']}; "
             f"load average before: {host['load_average']}.",
             f"{load}; {cores}; medians, and medians of the ratios within a round.",
             ", ".join(f"{name} {version}" for name, version in about["versions"].items()) + "."]
    if options["rounds"] < FEW_ROUNDS and not options["scale"]:
        lines.append(f"Fewer than {FEW_ROUNDS} rounds: a trial of the bench, not a result.")
    return "\n".join(lines) + ("\n" if markdown else "")
