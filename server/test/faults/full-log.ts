// Fills the disk with the write-ahead log of PostgreSQL, directly: the service would refuse such writes.
import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { connectionTo, type EmbeddedStage } from './embedded-stage.ts'

const messagesOf = ({ dataDir }: Pick<EmbeddedStage, 'dataDir'>) => join(dataDir, 'postgres/log')

/** PostgreSQL could not write its messages on a full disk: this reserves space for them beforehand. */
export async function keepPostgresLog(stage: EmbeddedStage): Promise<void> {
  for (const name of await readdir(messagesOf(stage)))
    execFileSync('fallocate', ['--keep-size', '--length', '1MiB', join(messagesOf(stage), name)])
}

export async function postgresLog(stage: EmbeddedStage): Promise<string> {
  const names = await readdir(messagesOf(stage))
  const texts = await Promise.all(names.map((name) => readFile(join(messagesOf(stage), name), 'utf8')))
  return texts.join('')
}

const MESSAGE_BYTES = 1024 ** 2

/** Resolves when PostgreSQL has ended the session. */
export async function growLog({ dataDir }: EmbeddedStage): Promise<void> {
  const client = new pg.Client(await connectionTo(dataDir))
  client.on('error', () => undefined)
  await client.connect()
  const write = () =>
    client.query("select pg_logical_emit_message(false, 'fill', repeat('x', $1), true)", [MESSAGE_BYTES])
  try {
    for (;;) await write()
  } catch {
    await client.end().catch(() => undefined)
  }
}
