// The configurations of docs/operators/high-availability.md, with loopback addresses.
import { join } from 'node:path'
import { addressOf, HAPROXY_PORT, hostOf, MACHINES, nameOf, OUTSIDE, PORTS, type Timing } from './plan.ts'

/** Folder for the files of one machine's programs. */
export const folderOf = (folder: string, machine: number): string => join(folder, nameOf(machine))

/** Emptied at each start of the machine, like /run: PostgreSQL does not start while an old lock file exists. */
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
  // When the primary's PostgreSQL ends, a standby takes over without waiting for a restart.
  primary_start_timeout: 0,
  postgresql: { use_pg_rewind: true, use_slots: true, parameters },
})

const at = (machine: number, port: number) => `${addressOf(machine, machine)}:${port}`

/** Patroni's configuration, written as JSON, which is valid YAML. @param binDir folder of PostgreSQL's programs */
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
      // A standby that cannot follow the new primary is deleted and copied from the primary.
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
      // Patroni's driver for tests. The harness reads from a pipe what Patroni writes to the device.
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
    // Half of etcd's defaults: a lease starts again at its full length when etcd elects a new leader.
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
