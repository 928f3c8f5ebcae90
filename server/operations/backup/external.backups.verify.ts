// Follows docs/operators/backup.md on PostgreSQL's own tools: its archive_command, its pg_basebackup and its recovery
// settings.
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DATABASE_NAME } from '../../db/database.ts'
import { hasTools, TOOLS_PATH } from '../../test/postgres-tools.ts'
import { serverFolder } from '../../test/temporary-folder.ts'
import { askRestored, openInstallation } from './backup.fixture.ts'

const run = promisify(execFile)

test.runIf(hasTools)(
  'restores an external server to the time before a deletion',
  async () => {
    const root = await serverFolder('backup')
    const [wal, base, target] = ['wal', 'base', 'restored'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(wal)
    // The server may run as another account.
    await chmod(wal, 0o777)
    const whole = await readFile(new URL('../../../docs/operators/backup.md', import.meta.url), 'utf8')
    const page = whole.slice(whole.indexOf("With only PostgreSQL's own tools"))
    const here = (text: string) => text.replaceAll('/mnt/wal', wal).replaceAll('/mnt/base/2026-11-23', base)
    const setting = (name: string) => here(new RegExp(`#\\s+${name} = '(.*)'`).exec(page)?.[1] ?? '')
    const archive = { archive_mode: 'on', archive_timeout: '60', archive_command: setting('archive_command') }
    const { client, source } = await openInstallation(join(root, 'data'), archive)
    const { host, user, password } = source.administration(DATABASE_NAME)
    const env = { PATH: TOOLS_PATH, PGHOST: String(host), PGUSER: String(user), PGPASSWORD: String(password) }
    const command = (name: string) => here(new RegExp(`^${name} (.*)$`, 'm').exec(page)?.[1] ?? '')
    const words = command('pg_basebackup').replace('/mnt/base/$(date +%F)', base).split(' ')

    await client.query('insert into notes (id) values (1)')
    await run('pg_basebackup', words, { env })
    await run('pg_verifybackup', command('pg_verifybackup').split(' '), { env })
    await client.query('insert into notes (id) values (2)')
    const { rows } = await client.query<{ time: string }>('select clock_timestamp()::text as time')
    await client.query('delete from notes')
    const switched = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
    const archived = () =>
      client
        .query<{ last: string }>('select last_archived_wal as last from pg_stat_archiver')
        .then((answer) => answer.rows[0]?.last)
    await expect.poll(archived).toBe(switched.rows[0]?.name)

    await mkdir(join(target, 'postgres'), { recursive: true, mode: 0o700 })
    // The account that restores must own the files, also if it is root.
    await run('tar', ['--no-same-owner', '-xzf', join(base, 'base.tar.gz'), '-C', join(target, 'postgres')])
    await writeFile(join(target, 'postgres', 'recovery.signal'), '')
    const recovery = {
      restore_command: setting('restore_command'),
      recovery_target_time: rows[0]?.time ?? '',
      recovery_target_action: setting('recovery_target_action'),
    }
    expect(await askRestored(target, 'select id from notes order by id', recovery)).toEqual([
      { id: 1 },
      { id: 2 },
    ])
  },
  60_000,
)
