// rapport restore as an operator runs it: killed and continued, and with a backup that lacks a key file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { takeOwnerLock } from '../server/db/embedded/owner-lock.ts'
import {
  askRestored,
  type Backups,
  type Installation,
  openBackups,
  openInstallation,
  placesIn,
  restore,
} from '../server/operations/backup/backup.fixture.ts'
import { keyName } from '../server/operations/backup/manifest.ts'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { serverFolder } from '../server/test/temporary-folder.ts'
import { MAIN, run } from './cli.fixture.ts'

const SERVICE = fileURLToPath(new URL('../server/main.ts', import.meta.url))
const UNFINISHED = 'restore-unfinished'

const root = await serverFolder('backup')
const place = placesIn(root)

let service: Installation
let backups: Backups
/** The newest backup. */
let backup: { chain: string; id: string }
beforeAll(async () => {
  service = await openInstallation(join(root, 'data'))
  await service.client.query('insert into notes (id) values (1), (2)')
  backups = await openBackups(service, place('store'))
  backup = await backups.backUp()
})

const environment = () => ({ BACKUP_URL: backups.vault.store.where })
const rapport = (...args: string[]) => run([MAIN, ...args], environment())
const notesIn = (dataDir: string) => askRestored(dataDir, 'select id from notes order by id')
const exists = (path: string) => stat(path).then(Boolean, () => false)

/** Starts a restore and kills it with kill -9. */
async function interrupted(): Promise<string> {
  const target = place('restored')
  const env = { ...CHILD_ENVIRONMENT, ...environment() }
  const child = spawn(process.execPath, [MAIN, 'restore', '--data-dir', target], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await expect.poll(() => exists(join(target, UNFINISHED, 'restore.json')), { interval: 5 }).toBe(true)
  child.kill('SIGKILL')
  await ended
  return target
}

test('a killed restore is not started as an empty installation; the error names the command to continue', async () => {
  const target = await interrupted()
  expect(await readdir(target)).toEqual([UNFINISHED])
  const env = { ...environment(), DATA_DIR: target, PORT: '0' }
  const refusals = [await run([SERVICE], env), await run([MAIN, 'sql', 'select 1'], env)]
  for (const { code, stderr } of refusals) {
    expect(code).toBe(1)
    expect(stderr).toMatch(/^rapport: .* contains a restore that has not ended/)
  }
  expect(await readdir(target)).toEqual([UNFINISHED])
  const [, words = ''] = /"(?:npx )?rapport (restore [^"]+)"/.exec(refusals[0]?.stderr ?? '') ?? []
  expect(words).toBe(`restore --backup ${backup.id} --data-dir ${target}`)
  expect(await rapport(...words.split(' '))).toMatchObject({ code: 0, stderr: '' })
  expect(await readdir(target)).not.toContain(UNFINISHED)
  expect(await notesIn(target)).toEqual([{ id: 1 }, { id: 2 }])
})

test('a restore that was killed while it moved files can only be completed by the same command', async () => {
  const target = place('restored')
  const restored = await restore(backups.vault, target)
  const folder = join(target, UNFINISHED)
  await mkdir(folder)
  await rename(join(target, 'postgres'), join(folder, 'postgres'))
  const command = `npx rapport restore --backup ${backup.id} --data-dir ${target}`
  await writeFile(join(folder, 'restore.json'), JSON.stringify({ command, restored }))
  const other = await rapport('restore', '--incomplete', '--data-dir', target)
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(`end it by "${command}"`) })
  const same = await rapport('restore', '--json', '--data-dir', target)
  expect(JSON.parse(same.stdout)).toEqual(restored)
  expect(await readdir(target)).not.toContain(UNFINISHED)
  expect(await notesIn(target)).toEqual([{ id: 1 }, { id: 2 }])
})

test('a second restore into the same folder is refused, and removes nothing of the first', async () => {
  const target = place('restored')
  const run = join(target, UNFINISHED)
  await mkdir(run, { recursive: true })
  await writeFile(join(run, 'kept'), '')
  const lock = takeOwnerLock({ dataDir: target, run })
  await expect(restore(backups.vault, target)).rejects.toThrow(/Another process restores into/)
  lock?.release()
  expect(await readdir(run)).toContain('kept')
})

test.runIf(process.getuid?.() === 0)('files restored by root belong to the folder owner', async () => {
  await service.addFile(Buffer.from('file'))
  backup = await backups.backUp()
  const target = place('restored')
  await mkdir(target)
  await chown(target, 65_534, 65_534)
  expect(await rapport('restore', '--data-dir', target)).toMatchObject({ code: 0, stderr: '' })
  const entries = await readdir(target, { recursive: true })
  expect(entries).toEqual(expect.arrayContaining(['secrets-key', 'files', 'postgres/rapport.password']))
  const uids = await Promise.all(entries.map(async (name) => (await lstat(join(target, name))).uid))
  expect(new Set(uids)).toEqual(new Set([65_534]))
})

test('a missing key file is reported, and nothing is restored without --incomplete', async () => {
  await rm(join(backups.vault.store.where, backup.chain, 'keys'))
  await backups.vault.store.delete(keyName(backup, 'secrets-key'))
  const target = place('restored')
  const refused = await rapport('restore', '--data-dir', target)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /cannot be restored completely .*keys is missing: .*secrets-key is missing: /,
  )
  expect(refused.stderr).toContain('rapport restore --incomplete')
  expect(await exists(target)).toBe(false)
  const verified = await rapport('backup', 'verify', '--work-dir', root)
  expect(verified).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets-key is missing') })
  const accepted = await rapport('restore', '--incomplete', '--data-dir', target)
  expect(accepted).toMatchObject({ code: 0, stderr: '' })
  expect(accepted.stdout).toContain('the secrets of webhook endpoints and workflows cannot be decrypted')
  const names = await readdir(target)
  expect(names).toContain('auth-secret')
  expect(names).not.toContain('secrets-key')
  expect(await notesIn(target)).toEqual([{ id: 1 }, { id: 2 }])
})

test('a folder that cannot be created is reported with advice', async () => {
  const file = place('file')
  await writeFile(file, '')
  const target = join(file, 'data')
  const { code, stderr } = await rapport('restore', '--data-dir', target)
  expect(code).toBe(1)
  expect(stderr).toContain(`The folder ${target} cannot be made or used`)
})
