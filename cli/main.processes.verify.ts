import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../server/base/id.ts'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { json as document, OWNER, run } from './cli.fixture.ts'
import { keysCommand } from './keys.ts'
import { orgCommand } from './org.ts'

const BIN = fileURLToPath(new URL('./rapport.js', import.meta.url))

const dataDir = await temporaryFolder('cli')

const rapport = (args: readonly string[], env: Record<string, string> = { DATA_DIR: dataDir }) =>
  run([BIN, ...args], env)

const json = <Document>(args: readonly string[]) => document<Document>(rapport([...args, '--json']))

test('creates an organization and its API keys, and deletes them', async () => {
  const acme = await json<{ id: string }>(['org', 'create', '--name', 'Acme', '--country', 'DE', ...OWNER])
  expect(acme).toEqual({ id: expect.any(String), slug: 'acme', ownerUserId: expect.any(String) })
  expect(await json(['org', 'list'])).toMatchObject([{ id: acme.id, slug: 'acme', country: 'DE' }])

  const scopes = 'records:read, records:write'
  const keys = [
    'keys',
    'create',
    '--org',
    'acme',
    '--name',
    'Forms',
    '--scopes',
    scopes,
    '--rate-limit',
    '600',
  ]
  const key = await json<{ id: string; key: string; prefix: string }>(keys)
  expect(Object.keys(key)).toEqual(['id', 'key', 'prefix'])
  expect(key.key).toMatch(/^svc_[\w-]{43}$/)
  expect(await json(['keys', 'list', '--org', acme.id])).toMatchObject([
    {
      id: key.id,
      scopes: ['records:read', 'records:write'],
      rateLimit: 600,
      createdBy: { email: 'ada@example.com' },
    },
  ])
  const { stdout } = await rapport(['keys', 'list', '--org', 'acme'])
  expect(stdout).toContain(`${key.prefix}  Forms  ${key.id}`)
  expect(stdout).not.toContain(key.key)

  const remove = ['keys', 'delete', '--org', 'acme', '--id', key.id, '--confirm-name']
  expect(await rapport([...remove, 'forms', '--json'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'rapport: confirmName: must be the name of the key, exactly as it is written\n',
  })
  expect(await json([...remove, 'Forms'])).toEqual({ id: key.id, deleted: true })
  expect((await rapport(['keys', 'list', '--org', 'acme'])).stdout).toMatch(/^No keys yet/)
})

test('confirms an email address, and reports an unknown address', async () => {
  const { pool, connection } = await createTestDatabase()
  await pool.run(sql`insert into users (id, name, email) values (${newId()}, 'Bo', 'bo@example.com')`)
  const env = { DATABASE_URL: testDatabaseUrl(connection.database) }
  const verify = (email: string) => rapport(['user', 'verify', '--email', email], env)
  expect(await verify('Bo@example.com')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('confirmed'),
  })
  expect(await pool.many(sql`select email_verified as "isVerified" from users`)).toEqual([
    { isVerified: true },
  ])
  expect(await verify('al@example.com')).toMatchObject({
    code: 1,
    stderr: 'rapport: No user has the email address al@example.com: check it for typing errors\n',
  })
})

test('uses the external database of DATABASE_URL', async () => {
  const { pool, connection } = await createTestDatabase()
  await pool.run(
    sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'Elsewhere', 'elsewhere')`,
  )
  const { user, password, host, port, database } = connection
  const address = `postgresql://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
  const { code, stdout } = await rapport(['org', 'list'], { DATABASE_URL: address })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^SLUG .*\nelsewhere {2}Elsewhere /)
})

test.each([
  ['an unknown command', ['nope'], /^error: unknown command 'nope'\n$/],
  ['a missing option', ['keys', 'list'], /^error: required option '--org <id or slug>' not specified\n$/],
  [
    'no scopes',
    ['keys', 'create', '--org', 'a', '--name', 'b'],
    /^rapport: Choose what the key can do: .*\n$/,
  ],
  [
    'scopes with full access',
    ['keys', 'create', '--org', 'a', '--name', 'b', '--full-access', '--scopes', 'c'],
    /^error: .*cannot be used with.*\n$/,
  ],
])('%s is refused in one line', async (_, args, message) => {
  const { code, stdout, stderr } = await rapport(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
})

test('reports an unavailable database in one line with advice', async () => {
  const { code, stdout, stderr } = await rapport(['org', 'list', '--json'], {
    DATABASE_URL: 'postgresql://none@127.0.0.1:1/nothing',
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^rapport: The database at 127\.0\.0\.1:1 .*\n$/)
})

test('rapport --help shows the commands and examples', async () => {
  const { code, stdout } = await rapport(['--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/org .*\n {2}keys .*Examples:\n {2}\$ /s)
})

const groups = [orgCommand(), keysCommand()]
test.each(
  [...groups, ...groups.flatMap(({ commands }) => commands)].map(
    (command) => [command.name(), command] as const,
  ),
)('the help of %s shows examples', (_, command) => {
  let help = ''
  const writeOut = (text: string) => {
    help += text
  }
  command.configureOutput({ writeOut }).outputHelp()
  expect(help).toContain('Examples:\n  $ ')
})

test('passes a signal to the command, and its exit code to the caller', async () => {
  // A database that accepts the connection and never responds.
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const env = {
    ...CHILD_ENVIRONMENT,
    DATABASE_URL: `postgresql://none@127.0.0.1:${port}/nothing`,
  }
  const child = spawn(process.execPath, [BIN, 'org', 'list'], { env, stdio: 'ignore' })
  const [socket] = await once(silent, 'connection')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(143)
  socket.destroy()
  silent.close()
})
