// The faults that an operator may meet: each is reported with the next step.
import { expect, test } from 'vitest'
import type { MeasuredVolume } from '../../db/disk-space/volumes.ts'
import type { DescribedBackup } from '../backup/describe.ts'
import { judgeSilence } from './ask-service.ts'
import { judgeAge, judgeArchive } from './backup.ts'
import { judgeBaseUrl } from './base-url.ts'
import { judgeCertificate, type SeenCertificate } from './certificate.ts'
import { judgeClock, judgeReplication } from './conditions.ts'
import { judgeAway } from './database-away.ts'
import { judgeDisks } from './disk.ts'
import type { Finding } from './finding.ts'
import { judgePort } from './port.ts'
import type { ChildState, ProcessReplacement } from './processes.ts'
import { judgeProcesses } from './processes.ts'
import { judgeAnswer, judgeRetention, judgeSettings, judgeVersion } from './service.ts'
import { judgeUpkeep, type UpkeepFacts } from './upkeep.ts'
import { judgeWork, judgeWorker, type StuckWork } from './work.ts'

const GIB = 1024 ** 3
const NOW = new Date('2026-11-26T03:00:00Z')

const ADDRESS = {
  connection: { connectionString: 'postgres://rapport:secret@db.example.com/crm' },
  setting: 'DATABASE_URL',
}
const EMBEDDED = {
  connection: { host: '/data', user: 'u', database: 'd' },
  ...{ setting: 'DATA_DIR', name: 'the embedded database in /data' },
}
const away = (code: string, message = code) => judgeAway(Object.assign(new Error(message), { code }), ADDRESS)

const WORK: StuckWork = {
  ...{
    idleSeconds: 20,
    databaseSeconds: 3600,
    unpurged: 0,
    failedJobs: 0,
    waitingJobs: [],
    lateEvents: 0,
    lateEndpoints: 0,
  },
  ...{ lateRuns: 0, unfoldedSeconds: 0, strayEvents: 0, failingMailboxes: 0, oldestTransactionSeconds: 1 },
}
const ABLE = { role: 'all', ableSeconds: 3600 } as const

const stuck = (work: Partial<StuckWork>) => judgeWork({ ...WORK, ...work })

const UPKEEP: UpkeepFacts = {
  hasAutovacuum: true,
  idAge: 1000,
  table: null,
  deadRows: 0,
  slot: null,
  keptBytes: 0,
}

const NEARLY_FULL: MeasuredVolume = {
  ...{ name: 'database', folder: '/data', device: 1, freeBytes: GIB / 2, sizeBytes: 100 * GIB, fill: 'low' },
  limits: { lowBytes: GIB, minBytes: GIB / 4, resumeBytes: GIB / 2 },
}

const ENDING: ProcessReplacement = {
  ...{ name: 'api-2', reason: 'ended', count: 7 },
  lastAt: '2026-11-26T02:00:00.000Z',
}

const CHILD: ChildState = { name: 'api-2', pid: 42, isReady: true, silentSeconds: 0 }

const backupOf = (endedAt: string) =>
  ({ manifest: { id: 'b', endedAt }, restorableUntil: null, verifiedAt: null }) as DescribedBackup

const certificate = (day: string): SeenCertificate => ({
  validTo: new Date(`${day}T00:00:00Z`),
  ...{ otherName: undefined, distrust: undefined },
})

const silence = (code: string) => judgeSilence(code, { pid: '42', dataDir: '/var/lib/rapport' })

type Row = [fault: string, found: Finding | Finding[] | undefined, check: string, what: RegExp, step: RegExp]

const FAULTS: readonly Row[] = [
  [
    'PostgreSQL is stopped',
    away('ECONNREFUSED'),
    'database',
    /nothing listens there \(ECONNREFUSED\)$/,
    /start PostgreSQL/,
  ],
  [
    'a balancer has no primary',
    away('', 'Connection terminated unexpectedly'),
    'database',
    /accepted the connection and then ended it/,
    /whether it has a primary/,
  ],
  ['its socket is missing', away('ENOENT'), 'database', /no such socket/, /start PostgreSQL/],
  ['it is frozen', away('', 'timeout expired'), 'database', /in time/, /paused or overloaded/],
  ['it answers no statement', away('', 'Query read timeout'), 'database', /in time/, /disk hangs/],
  ['its name is not resolved', away('ENOTFOUND'), 'database', /name db\.example\.com does not exist/, /DNS/],
  ['its network is away', away('EHOSTUNREACH'), 'database', /over the network/, /firewalls/],
  [
    'its password is wrong',
    away('28P01'),
    'database',
    /password of the role rapport is wrong/,
    /pg_hba\.conf/,
  ],
  ['its database is not there', away('3D000'), 'database', /there is no database crm/, /restore a backup/],
  [
    'it has no connection left',
    away('53300'),
    'database',
    /all its connections are in use/,
    /raise max_connections/,
  ],
  ['it recovers', away('57P03'), 'database', /recovering/, /wait/],
  ['its certificate has expired', away('CERT_HAS_EXPIRED'), 'database', /has expired/, /renew/],
  [
    'its certificate is not trusted',
    away('SELF_SIGNED_CERT_IN_CHAIN'),
    'database',
    /not trusted/,
    /sslrootcert/,
  ],
  [
    'PgBouncer is not configured for',
    away('08P01', 'unsupported startup parameter: options'),
    'database',
    /pooler/,
    /DATABASE_POOLER=transaction/,
  ],
  [
    'PgBouncer loses prepared statements',
    away('26000', 'prepared statement "q1" does not exist'),
    'database',
    /prepared statements/,
    /max_prepared_statements/,
  ],
  ['PostgreSQL is too old', judgeVersion({ version: '15.2' }), 'database', /15\.2 is too old/, /18 or newer/],
  [
    'PostgreSQL is slow',
    judgeAnswer({ version: '18.4', bytes: 1 }, 80, 'embedded'),
    'database',
    /80\.0 ms/,
    /keeps it busy/,
  ],
  ['clocks differ', judgeClock(90_000), 'clock', /ahead/, /NTP/],
  [
    'a failover loses writes',
    judgeReplication({ standbys: 2, names: '', commit: 'on' }),
    'replication',
    /may lose/,
    /synchronous/,
  ],
  ['nothing is deleted', judgeRetention('the clocks differ by 90 s'), 'retention', /90 s/, /clocks/],
  ['no worker works', judgeWorker(900, ABLE), 'worker', /no worker has worked for 900 s/, /ROLE=worker/],
  ['events wait', stuck({ lateEvents: 3 }), 'work', /3 events are not dispatched/, /restart/],
  ['deliveries wait', stuck({ lateEndpoints: 1 }), 'work', /1 webhook endpoint has deliveries/, /restart/],
  ['runs wait', stuck({ lateRuns: 2 }), 'work', /2 workflow runs are overdue/, /restart/],
  ['jobs wait', stuck({ waitingJobs: ['imports.work'] }), 'work', /imports\.work/, /ROLE=worker/],
  ['jobs fail', stuck({ failedJobs: 2 }), 'work', /2 jobs failed/, /log of the worker/],
  ['counters are behind', stuck({ unfoldedSeconds: 600 }), 'work', /600 s behind/, /ROLE=worker/],
  ['deleted data stays', stuck({ unpurged: 1 }), 'work', /not purged/, /ROLE=worker/],
  ['the clock was wrong', stuck({ strayEvents: 1 }), 'work', /outside the partition/, /clock/],
  ['email waits', stuck({ failingMailboxes: 4 }), 'work', /emails to 4 members failed/, /SMTP/],
  ['a transaction stays open', stuck({ oldestTransactionSeconds: 900 }), 'work', /900 s/, /pg_stat_activity/],
  [
    'autovacuum is behind',
    judgeUpkeep({ ...UPKEEP, table: 'records', deadRows: 5_000_000 }),
    'vacuum',
    /records has 5\.0 million dead rows/,
    /vacuum \(analyze\) records/,
  ],
  [
    'autovacuum is off',
    judgeUpkeep({ ...UPKEEP, hasAutovacuum: false }),
    'vacuum',
    /is off/,
    /autovacuum = on/,
  ],
  [
    'ids run out',
    judgeUpkeep({ ...UPKEEP, idAge: 1_600_000_000 }),
    'vacuum',
    /1600 million/,
    /vacuum freeze/,
  ],
  [
    'a slot keeps log',
    judgeUpkeep({ ...UPKEEP, slot: 'old', keptBytes: 9 * GIB })[1],
    'slots',
    /9\.0 GiB/,
    /pg_drop_replication_slot\('old'\)/,
  ],
  ['the disk is nearly full', judgeDisks([NEARLY_FULL], true), 'disk', /512 MiB free/, /free some space/],
  [
    'webhooks reach private addresses',
    judgeSettings({ production: true, egressAllowPrivate: true }),
    'configuration',
    /private addresses/,
    /false/,
  ],
  [
    'the certificate of the service has expired',
    judgeCertificate('crm.example.com', certificate('2026-11-25'), NOW),
    'certificate',
    /crm\.example\.com expired/,
    /renew/,
  ],
  [
    'the certificate of the service expires soon',
    judgeCertificate('crm.example.com', certificate('2026-11-30'), NOW),
    'certificate',
    /valid until 2026-11-30/,
    /automatic renewal/,
  ],
  [
    'links in emails lead to this machine',
    judgeBaseUrl({ production: true, baseUrl: 'http://0.0.0.0:3000' }, undefined),
    'base url',
    /http:\/\/0\.0\.0\.0:3000, which other machines cannot open/,
    /set BASE_URL/,
  ],
  [
    'the embedded database is stopped',
    judgeAway(Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' }), EMBEDDED),
    'database',
    /^the embedded database in \/data cannot be used: there is no such socket/,
    /^the service starts it again by itself; .* see the log of the service/,
  ],
  [
    'the embedded database is frozen',
    judgeAway(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }), EMBEDDED),
    'database',
    /answers no statement in time/,
    /stopped \(state T in ps\).* restart the service/,
  ],
  ['the port is taken', judgePort('EADDRINUSE', '127.0.0.1:3000'), 'port', /in use/, /ss -ltnp/],
  ['the port is reserved', judgePort('EACCES', '0.0.0.0:80'), 'port', /EACCES/, /1024/],
  ['the service hangs', silence('ETIMEDOUT'), 'service', /42 of the service does not respond/, /restart/],
  ['the command has another user', silence('EACCES'), 'service', /may not ask/, /sudo -u/],
  [
    'a process hangs',
    judgeProcesses([CHILD, { ...CHILD, name: 'worker', silentSeconds: 25 }], [], NOW.getTime()),
    'processes',
    /worker \(process 42\) has not responded for 25 s/,
    /killed and replaced/,
  ],
  [
    'a process does not start',
    judgeProcesses([{ ...CHILD, isReady: false, silentSeconds: undefined }], [], NOW.getTime()),
    'processes',
    /api-2 has not started/,
    /log/,
  ],
  [
    'a process ends again and again',
    judgeProcesses([CHILD], [ENDING], NOW.getTime()),
    'processes',
    /api-2 was replaced 7 times since the service started, the last time at 2026-11-26T02:00/,
    /dmesg/,
  ],
  ['there is no backup', judgeAge(undefined, '0 3 * * *', NOW), 'backup', /no backup yet/, /rapport backup/],
  [
    'the backup is stale',
    judgeAge(backupOf('2026-11-23T03:00:00Z'), '0 3 * * *', NOW),
    'backup',
    /overdue/,
    /log of the worker/,
  ],
  [
    'changes are not archived',
    judgeArchive({ bytes: GIB, archivedUntil: new Date('2026-11-26T01:00:00Z') }, 60, NOW),
    'backup',
    /archived until/,
    /ROLE=worker/,
  ],
]

test.each(FAULTS)('%s', (_, found, check, what, step) => {
  const [finding] = [found].flat()
  expect(finding).toMatchObject({
    check,
    status: expect.stringMatching(/warn|fail/),
    detail: expect.stringMatching(what),
    advice: expect.stringMatching(step),
  })
})

test('a database that cannot be reached is named by its address without the password, with its message once', () => {
  expect(away('28000', 'role "x" does not exist').detail).toBe(
    'the database at db.example.com:5432 cannot be used: the server does not let the role rapport into the database crm (role "x" does not exist)',
  )
  expect(judgeAway('broken', EMBEDDED)).toMatchObject({
    detail: 'the embedded database in /data cannot be examined: broken',
    advice: expect.stringContaining('check DATA_DIR'),
  })
})

test('a healthy state needs no step', () => {
  const well = [
    judgeWorker(20, ABLE),
    ...judgeWork(WORK),
    ...judgeUpkeep(UPKEEP),
    ...judgeProcesses([], [], NOW.getTime()),
    ...judgeProcesses([CHILD], [{ ...ENDING, count: 1 }], NOW.getTime()),
    judgePort(undefined, '127.0.0.1:3000'),
    judgeCertificate('crm.example.com', certificate('2027-01-30'), NOW),
  ]
  expect(well.filter(({ status, advice }) => status !== 'ok' || advice !== undefined)).toEqual([])
})

test('a socket on which no process listens is not a running service', () => {
  expect(silence('ECONNREFUSED')).toBeUndefined()
})

test('repeated ends of processes are reported for a day', () => {
  const [later, tomorrow] = [23, 25].map((hours) => Date.parse(ENDING.lastAt) + hours * 3_600_000)
  expect(judgeProcesses([CHILD], [ENDING], later ?? 0)).toMatchObject([{ status: 'warn' }])
  expect(judgeProcesses([CHILD], [ENDING], tomorrow ?? 0)).toMatchObject([{ status: 'ok' }])
})
