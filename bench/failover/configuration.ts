// The configurations of docs/operators/high-availability.md, with addresses of this machine.
import { join } from 'node:path'
import { addressOf, HAPROXY_PORT, hostOf, MACHINES, nameOf, OUTSIDE, PORTS, type Timing } from './plan.ts'

/** Where programs of one machine keep what is theirs. */
export const folderOf = (folder: string, machine: number): string => join(folder, nameOf(machine))

/** Empty after each start of the machine, as /run is: PostgreSQL does not start while an old lock file exists. */
export const runFolderOf = (folder: string, machine: number): string => join(folderOf(folder, machine), 'run')

const parameters = {
  ...{ wal_level: 'replica', hot_standby: 'on', max_wal_senders: 10, max_replication_slots: 10 },
  ...{
    wal_log_hints: 'on',
    wal_retrieve_retry_interval: '500ms',
    synchronous_commit: 'on',
    max_connections: 150,
    shared_buffers: '64MB',
    jit: 'off',
  },
}

const dcsOf = ({ ttl, loopWait, retryTimeout }: Timing) => ({
  ...{ ttl, loop_wait: loopWait, retry_timeout: retryTimeout },
  ...{ synchronous_mode: 'quorum', synchronous_mode_strict: true, synchronous_node_count: 1 },
  ...{ maximum_lag_on_failover: 1_048_576, failsafe_mode: true },
  // PostgreSQL that ends is replaced, not started again.
  primary_start_timeout: 0,
  postgresql: { use_pg_rewind: true, use_slots: true, parameters },
})

const at = (machine: number, port: number) => `${addressOf(machine, machine)}:${port}`

/** Of Patroni, as JSON, which is YAML too. @param binDir of PostgreSQL */
export function patroniOf(
  folder: string,
  machine: number,
  { binDir, timing }: { binDir: string; timing: Timing },
) {
  const own = folderOf(folder, machine)
  const user = (username: string) => ({ username, password: 'x' })
  return {
    scope: 'rapport',
    name: nameOf(machine),
    restapi: {
      listen: at(machine, PORTS.patroni),
      connect_address: `${hostOf(machine)}:${PORTS.patroni}`,
    },
    etcd3: { hosts: MACHINES.map((one) => `${hostOf(one)}:${PORTS.etcdClient}`) },
    bootstrap: {
      dcs: dcsOf(timing),
      initdb: [
        ...[{ encoding: 'UTF8' }, { 'locale-provider': 'builtin' }, { 'builtin-locale': 'C.UTF-8' }],
        ...[{ locale: 'C' }, 'data-checksums'],
      ],
    },
    postgresql: {
      listen: at(machine, PORTS.postgres),
      connect_address: `${hostOf(machine)}:${PORTS.postgres}`,
      ...{ data_dir: join(own, 'data'), bin_dir: binDir, pgpass: join(own, 'pgpass') },
      // A standby that cannot follow the new primary is copied from it.
      ...{ remove_data_directory_on_rewind_failure: true, remove_data_directory_on_diverged_timelines: true },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.0/8 trust',
        'host replication all 127.0.0.0/8 trust',
      ],
      // Otherwise the copy waits for a checkpoint that is spread over minutes.
      basebackup: [{ checkpoint: 'fast' }],
      parameters: { unix_socket_directories: runFolderOf(folder, machine) },
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
    },
    watchdog: {
      ...{ mode: 'required', safety_margin: timing.ttl - timing.watchdog },
      // Patroni's own way to test: what goes to the device is read from a pipe.
      ...{ driver: 'testing', device: join(own, 'watchdog') },
    },
  }
}

/** Arguments of etcd. */
export function etcdOf(folder: string, machine: number): string[] {
  const peer = (one: number) => `http://${hostOf(one)}:${PORTS.etcdPeer}`
  const flags = {
    name: nameOf(machine),
    'data-dir': join(folderOf(folder, machine), 'etcd'),
    'listen-peer-urls': `http://${at(machine, PORTS.etcdPeer)}`,
    'listen-client-urls': `http://${at(machine, PORTS.etcdClient)}`,
    'initial-advertise-peer-urls': peer(machine),
    'advertise-client-urls': `http://${hostOf(machine)}:${PORTS.etcdClient}`,
    'initial-cluster': MACHINES.map((one) => `${nameOf(one)}=${peer(one)}`).join(','),
    'initial-cluster-state': 'new',
    'initial-cluster-token': 'rapport',
    // Half of the usual: a lease begins again when a new leader of etcd is elected.
    ...{ 'heartbeat-interval': 50, 'election-timeout': 500 },
    'log-level': 'warn',
  }
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)])
}

const server = (machine: number) => {
  const address = addressOf(OUTSIDE, machine)
  return `    server ${nameOf(machine)} ${address}:${PORTS.postgres} maxconn 300 check port ${PORTS.patroni}`
}

export const haproxyOf = (): string => `global
    maxconn 500
defaults
    mode tcp
    timeout connect 3s
    timeout check 2s
    retries 0
    timeout client 30m
    timeout server 30m
    option clitcpka
    option srvtcpka
listen primary
    bind 127.0.0.1:${HAPROXY_PORT}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
${MACHINES.map(server).join('\n')}
`
