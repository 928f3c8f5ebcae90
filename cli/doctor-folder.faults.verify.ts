// Real faults of a service on its embedded database: its processes, its folder, its backups, and a full disk.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../server/entry/service-process.fixture.ts'
import { openFolderStore } from '../server/operations/backup/folder-store.ts'
import { preparePlace } from '../server/operations/backup/place.ts'
import { signalEmbedded } from '../server/test/standby.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { runInside } from './cli.fixture.ts'
import {
  expectBothName,
  failuresIn,
  type Named,
  provoke,
  type RealFault,
  startShared,
} from './faults.fixture.ts'

const root = await temporaryFolder('folder')
const dataDir = join(root, 'data')
const backups = join(root, 'backups')
const files = join(dataDir, 'files')
const passwordFile = join(dataDir, 'postgres', 'rapport.password')
const away = (path: string) => `${path}.away`

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const ofBackups = { BACKUP_URL: backups, BACKUP_KEY: keyOf(1) }
const shell = { DATA_DIR: dataDir, PORT: '0' }
const doctor = async (env: Record<string, string> = shell) => runInside(['doctor'], env)

let service: ServiceProcess
/** Runs before the folder is removed, because PostgreSQL writes to the folder until it has ended. */
afterAll(async () => {
  service.child.kill('SIGTERM')
  await service.exited
})
const start = async (env: Record<string, string>) => {
  service = await startShared({ DATA_DIR: dataDir, ...env }, () => undefined)
}

/** The folder of the backup that the service has made. */
let backup = ''
let chain = ''

beforeAll(async () => {
  await mkdir(backups)
  await preparePlace(openFolderStore(backups))
  await start(ofBackups)
  const isMade = async () => expect((await doctor()).stdout).toMatch(/^ok {4}backup +the last backup/m)
  await vi.waitFor(isMade, { timeout: 120_000, interval: 200 })
  const names = (await readdir(backups)).map((name) => join(backups, name))
  chain = names.find((name) => existsSync(join(name, 'backups'))) ?? ''
  const [id = ''] = await readdir(join(chain, 'backups'))
  backup = join(chain, 'backups', id)
})

async function kill(): Promise<void> {
  service.child.kill('SIGKILL')
  await service.exited
}

const moveAway = (path: string) => rename(path, away(path))
const moveBack = (path: string) => rename(away(path), path)

/** Moves the files one by one, because the service may add files during the move. */
async function moveLog(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name))
}

const log = () => join(chain, 'wal')
const manifest = () => join(backup, 'manifest.json')
const history = () => join(chain, 'verification.json')

let text = ''

const OF_BACKUPS: RealFault[] = [
  {
    fault: 'the disk of the backups is not mounted',
    async begin() {
      await moveAway(backups)
      await mkdir(backups)
    },
    async end() {
      await rmdir(backups)
      await moveBack(backups)
    },
    ...{ check: 'backup', status: 'fail', detail: /was not prepared: mount its disk/ },
    step: /check BACKUP_URL/,
  },
  {
    fault: 'the folder of the backups is missing',
    begin: () => moveAway(backups),
    end: () => moveBack(backups),
    ...{ check: 'backup', status: 'fail', detail: /backups/, step: /check BACKUP_URL and the access to it/ },
  },
  {
    fault: 'archived log is missing',
    begin: () => moveLog(log(), away(log())),
    end: () => moveLog(away(log()), log()),
    ...{
      check: 'backup gaps',
      status: 'fail',
      detail: /(is|are) missing/,
      step: /new backup by rapport backup/,
    },
  },
  {
    fault: 'the manifest of the backup is damaged',
    async begin() {
      text = await readFile(manifest(), 'utf8')
      await writeFile(manifest(), text.slice(0, 100))
    },
    end: () => writeFile(manifest(), text),
    ...{
      check: 'backup damage',
      status: 'fail',
      detail: /^1 backup cannot be used/,
      step: /what damages files/,
    },
  },
  {
    fault: 'the backup failed its verification',
    begin: () =>
      writeFile(
        history(),
        JSON.stringify({
          firstBackupAt: new Date().toISOString(),
          lastPassedAt: null,
          lastFailedAt: new Date().toISOString(),
        }),
      ),
    end: () => rm(history()),
    ...{ check: 'verification', status: 'fail', detail: /failed its verification at/ },
    step: /run rapport backup verify/,
  },
]

const OF_FOLDER: RealFault[] = [
  {
    fault: 'a file is where files are stored',
    async begin() {
      if (existsSync(files)) await moveAway(files)
      await writeFile(files, '')
    },
    async end() {
      await rm(files)
      if (existsSync(away(files))) await moveBack(files)
    },
    ...{ check: 'files', status: 'fail', detail: /files is not a folder/, step: /chown DATA_DIR/ },
  },
  {
    fault: 'the password of the database is missing',
    begin: () => moveAway(passwordFile),
    end: () => moveBack(passwordFile),
    ...{ check: 'keys', status: 'fail', detail: /rapport\.password is missing/ },
    step: /restore it from a backup: the service does not start without it/,
  },
  {
    fault: 'PostgreSQL is frozen',
    begin: () => signalEmbedded(dataDir, 'SIGSTOP'),
    end: () => signalEmbedded(dataDir, 'SIGCONT'),
    isSlow: true,
    ...{
      check: 'database',
      status: 'fail',
      detail: /^the embedded database in .* answers no statement in time/,
    },
    step: /^see whether its processes are stopped.*then restart the service/,
  },
]

describe('while the service runs', () => {
  test('no check fails', async () => expect(failuresIn(await doctor())).toEqual([]))
  test.each([...OF_BACKUPS, ...OF_FOLDER])('doctor and status report: $fault', (one) => provoke(shell, one))
  test('no check fails afterwards', async () => expect(failuresIn(await doctor())).toEqual([]))
})

const WRONG_PASSWORD: Named = {
  ...{ check: 'database', status: 'fail', detail: /does not accept the password/ },
  step: /DATA_DIR/,
}
const FULL_DISK: Named = {
  ...{ check: 'disk', status: 'fail', detail: /writes are refused until/ },
  step: /free some space/,
}

describe('after the service was killed', () => {
  beforeAll(async () => {
    await kill()
    const rest = "update deletion_clock set followed_at = now() - interval '20 minutes'"
    expect(await runInside(['sql', '--write', rest], shell)).toMatchObject({ code: 0 })
  })

  test.each<[fault: string, env: Record<string, string>, named: Named]>([
    [
      'it does not run',
      {},
      {
        check: 'service',
        status: 'warn',
        detail: /no service runs on .* on this machine/,
        step: /^start it/,
      },
    ],
    [
      'no worker works, since none should',
      {},
      {
        check: 'worker',
        status: 'warn',
        detail: /and no service runs on this machine/,
        step: /^start a process/,
      },
    ],
    [
      'no backups are made in production',
      { NODE_ENV: 'production' },
      {
        check: 'backup',
        status: 'warn',
        detail: /BACKUP_URL is not set/,
        step: /set BACKUP_URL and BACKUP_KEY/,
      },
    ],
    [
      'the key of the backups is another',
      { ...ofBackups, BACKUP_KEY: keyOf(2) },
      {
        ...{ check: 'backup key', status: 'fail', detail: /was not encrypted with this BACKUP_KEY/ },
        step: /set BACKUP_KEY to the key that it was made with/,
      },
    ],
    [
      'the key of the backups is not set',
      { BACKUP_URL: backups },
      {
        ...{ check: 'backup key', status: 'fail', detail: /is encrypted, and BACKUP_KEY is not set/ },
        step: /set BACKUP_KEY to the key that it was made with/,
      },
    ],
  ])('doctor and status report: %s', (_, env, named) =>
    expectBothName({ ...shell, ...env }, named, { isServed: false }),
  )

  test('doctor and status report: the password of its database is wrong', async () => {
    const password = await readFile(passwordFile, 'utf8')
    await writeFile(passwordFile, 'wrong')
    try {
      await expectBothName(shell, WRONG_PASSWORD, { isServed: false })
    } finally {
      await writeFile(passwordFile, password)
    }
  })
})

describe('on a full disk', () => {
  beforeAll(() => start({ DISK_FREE_MIN_BYTES: String(2 ** 52) }))

  test('the full disk is reported, and the paused worker is not', async () => {
    await expectBothName(shell, FULL_DISK, { isServed: true })
    expect((await doctor()).stdout).toMatch(
      /^ok {4}worker +background work .* it rests while the disk is full/m,
    )
  })
})
