#!/usr/bin/python3
"""Ends the lease of Patroni's leader lock when the watchdog has certainly reset the machine that held it.

Patroni's least ttl is 20 seconds: a machine that is lost keeps the lock for so long. With a watchdog that fires earlier
the rest of the wait is of no use. Run this next to Patroni on each database machine; it requires only Python.

Safe only with `watchdog: mode: required` and `safety_margin: ttl - watchdog`. The primary renews its lease and then
writes to its watchdog, in this order, and has at most `watchdog` seconds from one such write to the next. So its last
write is at most `watchdog` seconds after its last renewal, and `watchdog` seconds later it is reset: it acknowledges
nothing any more when its lease is 2 * watchdog seconds old.
"""
import argparse
import base64
import json
import sys
import time
import urllib.request

PAUSE_SECONDS = 0.25
TIMEOUT_SECONDS = 1


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--key', required=True, help='of the leader lock: /service/<scope>/leader')
    parser.add_argument('--ttl', type=int, required=True, help='as in the configuration of Patroni')
    parser.add_argument('--watchdog', type=int, required=True, help='ttl - safety_margin')
    parser.add_argument('etcd', nargs='+', help='addresses of etcd')
    return parser.parse_args()


def ask(address, path, question):
    request = urllib.request.Request(address + path, json.dumps(question).encode())
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        return json.load(response)


def release_if_lost(address, key, certain):
    """One look at the lock. certain: seconds without a renewal after which its holder has been reset."""
    found = ask(address, '/v3/kv/range', {'key': base64.b64encode(key.encode()).decode()})
    lease = found['kvs'][0].get('lease') if found.get('kvs') else None
    if lease is None:
        return
    state = ask(address, '/v3/lease/timetolive', {'ID': lease})
    # Whole seconds, rounded down: the lease has up to one more.
    left = int(state.get('TTL', 0)) + 1
    if int(state.get('grantedTTL', 0)) - left < certain:
        return
    ask(address, '/v3/lease/revoke', {'ID': lease})
    print('the lock was not renewed for %d seconds: released' % certain, flush=True)


def main():
    options = parse()
    certain = 2 * options.watchdog
    if certain >= options.ttl:
        sys.exit('2 * watchdog must be less than ttl')
    addresses = list(options.etcd)
    while True:
        try:
            release_if_lost(addresses[0], options.key, certain)
        except (OSError, ValueError, KeyError):
            # That etcd does not answer: the next one is asked.
            addresses.append(addresses.pop(0))
        time.sleep(PAUSE_SECONDS)


if __name__ == '__main__':
    main()
