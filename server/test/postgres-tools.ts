// The tools of PostgreSQL 18, if they are installed: the npm package contains only the server.
import { spawnSync } from 'node:child_process'

/** POSTGRES_TOOLS names the folder of the tools if it is not in PATH. */
export const TOOLS_PATH = [process.env['POSTGRES_TOOLS'], process.env['PATH']].filter(Boolean).join(':')

const asked = spawnSync('pg_basebackup', ['--version'], { env: { PATH: TOOLS_PATH }, encoding: 'utf8' })
export const hasTools = Number(/\(PostgreSQL\) (\d+)/.exec(asked.stdout ?? '')?.[1] ?? 0) >= 18
if (!hasTools)
  process.stdout.write('The tools of PostgreSQL 18 are not installed, so their commands are not tried.\n')
