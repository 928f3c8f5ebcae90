import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { BackupError } from './object-store.ts'
import { openVault } from './vault.ts'
import { isMachineFault } from './verify.ts'

const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error)
const system = (code: string) => Object.assign(new Error(code), { code, errno: -1, syscall: 'read' })

const root = await temporaryFolder('machine-fault')

test('a full disk, missing permission and no free descriptor are faults of the machine, also as the cause', () => {
  for (const code of ['ENOSPC', 'EACCES', 'EMFILE']) {
    expect(isMachineFault(system(code))).toBe(true)
    expect(isMachineFault(new BackupError('it cannot be used', { cause: system(code) }))).toBe(true)
  }
})

test('a folder that the store cannot use is a fault of the machine', async () => {
  await writeFile(join(root, 'file'), '')
  expect(isMachineFault(await caught(openFolderStore(join(root, 'file')).get('name')))).toBe(true)
})

test('an object that is missing, damaged or unreadable is not a fault of the machine', async () => {
  const store = openFolderStore(root)
  const vault = openVault(store, undefined)
  await vault.put('object', Buffer.from('text'))
  const bytes = (await store.get('object')) ?? Buffer.alloc(0)
  await store.put('object', bytes.fill(7, bytes.length - 4))
  const damaged = await caught(vault.get('object'))
  expect(damaged).toMatchObject({ message: expect.stringContaining('is damaged'), cause: expect.any(Error) })
  expect(isMachineFault(damaged)).toBe(false)
  expect(isMachineFault(new BackupError('it is missing'))).toBe(false)
  expect(isMachineFault(new BackupError('it cannot be used', { cause: system('EIO') }))).toBe(false)
})
