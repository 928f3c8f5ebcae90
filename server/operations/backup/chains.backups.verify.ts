// Chains of several installations in one place: which installation owns each, which chain a restore uses, and what
// retention may delete.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pino from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { serverFolder } from '../../test/temporary-folder.ts'
import { type Backups, type Installation, openBackups, openInstallation, silent } from './backup.fixture.ts'
import { becomeArchiver, findChain } from './chain.ts'
import { readSpans } from './chain-facts.ts'
import { pickBackup } from './choose.ts'
import { withAdministration } from './create.ts'
import { openFolderStore } from './folder-store.ts'
import { type BackupManifest, listBackups } from './manifest.ts'
import { openChain } from './open-chain.ts'
import { removeOutdated } from './retention.ts'
import { openVault } from './vault.ts'

const root = await serverFolder('backup')
const store = join(root, 'store')

let [old, fresh]: Installation[] = []
let [ofOld, ofFresh]: Backups[] = []
let [oldBackup, freshBackup]: BackupManifest[] = []

const required = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('it was not made')
  return value
}

beforeAll(async () => {
  old = await openInstallation(join(root, 'old'))
  ofOld = await openBackups(old, store)
  oldBackup = await ofOld.backUp()
  // A new data folder with the BACKUP_URL of the other one.
  fresh = await openInstallation(join(root, 'fresh'))
  ofFresh = await openBackups(fresh, store)
  freshBackup = await ofFresh.backUp()
})

const vault = () => required(ofOld).vault
const systemIdentifier = async (installation: Installation | undefined) => {
  const { rows } = await required(installation).client.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return rows[0]?.id ?? ''
}

test('a restore refuses to choose between two installations, and lists both', async () => {
  const [one, other] = [await systemIdentifier(old), await systemIdentifier(fresh)]
  const refused = pickBackup(vault(), {})
  await expect(refused).rejects.toThrow(/choose one by --chain, or a backup by --backup/)
  await expect(refused).rejects.toThrow(new RegExp(`installation ${one} .*installation ${other} `))
})

test('a restore uses the named chain or backup, or the only chain that existed at the time', async () => {
  const { id } = required(oldBackup)
  expect((await pickBackup(vault(), { chain: required(ofOld).chain.id })).id).toBe(id)
  expect((await pickBackup(vault(), { id })).id).toBe(id)
  expect((await pickBackup(vault(), { to: new Date(required(oldBackup).endedAt) })).id).toBe(id)
  await expect(pickBackup(vault(), { chain: 'none' })).rejects.toThrow(/There is no chain none/)
})

test('the installation of a chain from an earlier version is read from its log', async () => {
  const { chain } = required(ofOld)
  await vault().store.delete(`${chain.id}/chain.json`)
  const { backups } = await listBackups(vault().store)
  expect(await readSpans(vault(), backups)).toMatchObject([
    { chain: chain.id, installation: await systemIdentifier(old), host: null },
    { installation: await systemIdentifier(fresh), host: expect.any(String), dataDir: join(root, 'fresh') },
  ])
})

test('an installation that continues such a chain marks it, and warns of other installations', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const { client, source } = required(old)
  const chain = await openChain(client, { source, vault: vault(), log })
  expect(chain).toEqual(required(ofOld).chain)
  expect(lines.join('')).toMatch(/the chain of backups has the id of this installation now/)
  expect(lines.join('')).toMatch(/those of another installation/)
  expect(await vault().store.get(`${chain.id}/chain.json`)).toBeDefined()
})

test('retention deletes no backups of another installation', async () => {
  const { chain } = required(ofFresh)
  const inAYear = new Date(Date.now() + 365 * 24 * 3600_000)
  await removeOutdated(vault(), { days: 7, now: inAYear, chain: chain.id })
  const { backups } = await listBackups(vault().store)
  expect(backups.map(({ id }) => id)).toEqual([required(oldBackup).id, required(freshBackup).id])
})

test('setting a key begins a new chain, and removing the key is refused', async () => {
  const { client, source } = required(fresh)
  const path = join(root, 'key')
  const plain = await openBackups(required(fresh), path)
  await plain.backUp()
  const sealed = openVault(openFolderStore(path), [randomBytes(32)])
  const chain = await withAdministration(source, (session) =>
    openChain(session, { source, vault: sealed, log: silent }),
  )
  expect(chain.id).not.toBe(plain.chain.id)
  const encrypted = join(root, 'encrypted')
  await (await openBackups(required(fresh), encrypted, [randomBytes(32)])).backUp()
  const keyless = openVault(openFolderStore(encrypted), undefined)
  await expect(openChain(client, { source, vault: keyless, log: silent })).rejects.toThrow(
    /is encrypted, and BACKUP_KEY is not set/,
  )
})

test('a command with a key cannot end the chain of a service without one', async () => {
  const { client, source } = required(fresh)
  const path = join(root, 'of-a-service')
  const plain = await openBackups(required(fresh), path)
  await plain.backUp()
  const sealed = openVault(openFolderStore(path), [randomBytes(32)])
  // The session of the service is the archiver.
  await withAdministration(source, async (service) => {
    expect(await becomeArchiver(service)).toBe(true)
    await expect(
      withAdministration(source, (command) => openChain(command, { source, vault: sealed, log: silent })),
    ).rejects.toThrow(/set BACKUP_KEY for the service and restart it/)
    expect(await findChain(client, sealed.store.where)).toEqual(plain.chain)
    expect((await openChain(service, { source, vault: sealed, log: silent })).id).not.toBe(plain.chain.id)
  })
})

test('a folder that was not prepared is refused', async () => {
  const { client, source } = required(fresh)
  const unprepared = openVault(openFolderStore(join(root, 'unmounted')), undefined)
  await expect(openChain(client, { source, vault: unprepared, log: silent })).rejects.toThrow(
    /unmounted has no backups and was not prepared/,
  )
})
