// Which data folders a server starts on, and which folders it refuses.
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attachOrStartEmbedded, startEmbedded } from '../embedded.ts'
import { runFixture } from './fixture-process.ts'
import {
  dataFolder,
  kept,
  killPostmaster,
  names,
  notes,
  prepareServers,
  root,
  settings,
  start,
} from './servers.fixture.ts'

prepareServers()

describe('startEmbedded on data folders', () => {
  test('starts with a path that is too long for a socket and has special characters of PostgreSQL', async () => {
    const dataDir = await dataFolder(`${'lång, "väg" '.repeat(12)}end`)
    const server = await start(dataDir)
    const { host } = server.administration('postgres')
    expect(host.startsWith(dataDir)).toBe(false)
    expect((await stat(host)).mode & 0o777).toBe(0o700)
    expect(await notes(server)).toEqual(kept)
    const attached = await attachOrStartEmbedded({ dataDir, settings })
    expect(attached.administration('postgres').host).toBe(host)
    await server.stop()
    await expect(stat(host)).rejects.toThrow('ENOENT')
  })

  test('does not make a folder again that was moved away while its server ran', async () => {
    const dataDir = await dataFolder('taken')
    const server = await start(dataDir)
    await rename(dataDir, `${dataDir}-away`)
    await killPostmaster(`${dataDir}-away`)
    expect(await server.exited).toMatch(/PostgreSQL ended .*taken\/postgres is missing: mount its disk/)
    expect(await names(root)).not.toContain('taken')
  })

  test('leaves a mount point empty when its disk was unmounted', async () => {
    const dataDir = await dataFolder('unmounted')
    const server = await start(dataDir)
    await rename(dataDir, `${dataDir}-away`)
    await mkdir(dataDir)
    await killPostmaster(`${dataDir}-away`)
    expect(await server.exited).toMatch(/unmounted\/postgres is missing: mount its disk/)
    expect(await names(dataDir)).toEqual([])
  })

  test('removes the temporary socket folder of a server that was killed', async () => {
    const dataDir = await dataFolder('x'.repeat(120))
    const fixture = await runFixture(dataDir)
    const host = fixture.answer.connection?.host ?? ''
    await fixture.end('SIGKILL')
    await start(dataDir)
    await expect(stat(host)).rejects.toThrow('ENOENT')
  })

  test('starts in a folder that only its owner can enter', async () => {
    await mkdir(join(root, 'closed'), { mode: 0o700 })
    expect(await notes(await start(await dataFolder('closed/data')))).toEqual(kept)
  })

  test('refuses a file in place of the folder', async () => {
    await writeFile(join(root, 'file'), '')
    await expect(start(join(root, 'file'))).rejects.toThrow(/file is not a folder: set DATA_DIR/)
  })

  test('refuses data of another PostgreSQL version', async () => {
    const dataDir = await dataFolder()
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      /holds data of PostgreSQL 17, this version of Rapport runs PostgreSQL 18/,
    )
  })

  test('refuses a folder with other files, and keeps them', async () => {
    const dataDir = join(root, 'other')
    await mkdir(join(dataDir, 'postgres/photos'), { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(/is not empty and not a PostgreSQL database/)
    expect(await names(join(dataDir, 'postgres'))).toEqual(['photos'])
  })

  test('refuses data without its password file', async () => {
    const dataDir = await dataFolder()
    await rm(join(dataDir, 'postgres/rapport.password'))
    await expect(start(dataDir)).rejects.toThrow(/rapport.password is missing: restore it/)
  })

  test('reports an unknown PostgreSQL setting, and releases the folder', async () => {
    const dataDir = await dataFolder()
    const failing = startEmbedded({ dataDir, settings: { ...settings, shared_buffer: '1MB' } })
    await expect(failing).rejects.toThrow(
      /did not start in .*unrecognized configuration parameter "shared_buffer"/,
    )
    expect(await notes(await start(dataDir))).toEqual(kept)
  })
})
