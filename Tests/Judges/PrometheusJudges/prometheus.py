"""The Prometheus of a check, and its data."""

import json
import time
import urllib.parse

from world import SERVE, Failed, get, until


def scrapes(interval, targets):
    """A configuration that probes targets with the module http_2xx, and scrapes the exporter."""
    relabel = ("[{ source_labels: [__address__], target_label: __param_target }, "
               "{ source_labels: [__param_target], target_label: instance }, "
               f"{{ target_label: __address__, replacement: '{SERVE}' }}]")
    return (f"global: {{ scrape_interval: {round(interval * 1000)}ms }}\nscrape_configs:\n"
            f"  - {{ job_name: web, metrics_path: /probe, static_configs: [{{ targets: {targets} }}],\n"
            f"      relabel_configs: {relabel} }}\n"
            f"  - {{ job_name: probekit, static_configs: [{{ targets: ['{SERVE}'] }}] }}\n")


def wait_until(end):
    """Waits until a time, and returns the current one."""
    time.sleep(max(0, end - time.time()))
    return time.time()


class Prometheus:
    """A running Prometheus."""

    def __init__(self, world, configuration, *flags, name="prometheus", address="127.0.0.1:9090", place=None):
        self.url, path = f"http://{address}", world.file(f"{name}.yml", configuration)
        agent = "--enable-feature=agent" in flags
        world.start(
            name, "prometheus", f"--config.file={path}", f"--web.listen-address={address}", *flags,
            f"--storage.{'agent' if agent else 'tsdb'}.path={world.folder}/{name}", place=place,
            ready=None if agent else lambda: get(f"{self.url}/-/ready")[0] == 200)

    def _api(self, path, **parameters):
        _, text = get(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        answer = json.loads(text) if text.startswith("{") else {"error": text}
        if answer.get("status") != "success":
            raise Failed(f"{path} {parameters}: {answer['error']}")
        return answer["data"]

    def query(self, expression, **parameters):
        """The result of an expression: labels and value of each series."""
        result = self._api("query", query=expression, **parameters)["result"]
        return [(one["metric"], float(one["value"][1])) for one in result]

    def values(self, expression, label="instance", **parameters):
        """The result of an expression by one label."""
        return {labels.get(label): value for labels, value in self.query(expression, **parameters)}

    def reasons(self, expression, label="instance"):
        """The reasons of failures by one label."""
        return {labels.get(label): labels.get("reason") for labels, _ in self.query(expression)}

    def alerts(self, name=None):
        """The alerts, pending and firing, of a rule or of all: labels, annotations and state of each."""
        return [alert for alert in self._api("alerts")["alerts"] if name in (None, alert["labels"]["alertname"])]

    def firing(self, name, seconds=1):
        """The instances for which a rule fires, once there is one."""
        return until(lambda: [
            alert["labels"]["instance"] for alert in self.alerts(name) if alert["state"] == "firing"], seconds)

    def targets(self):
        """Its targets: labels, health and last error of each."""
        return self._api("targets", state="active")["activeTargets"]

    def incomplete(self, metric, interval, scrapes, end):
        """The series of a metric with fewer samples than scrapes, in a window that ends at about `end`, with their counts.

        Prometheus scrapes each target at its own beat: once per interval, at a constant offset, some milliseconds late.
        If a window ended at a beat, a delay of a millisecond would add or remove a sample. So the window of each target
        ends half an interval after one of its beats: it contains exactly `scrapes` beats, and a scrape that is late by
        less than half an interval stays inside. A missed scrape leaves one sample less.
        """
        beats = self.values(f"timestamp({metric})", time=end)
        counts = {}
        for instance, beat in beats.items():
            window = f'count_over_time({metric}{{instance="{instance}"}}[{round(interval * scrapes * 1000)}ms])'
            counts[instance] = self.values(window, time=beat + interval / 2)[instance]
        return {instance: count for instance, count in counts.items() if count < scrapes}
