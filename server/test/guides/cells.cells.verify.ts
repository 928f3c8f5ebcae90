// Runs the commands of docs/operators/cells.md: adds cells to a directory, moves an organization, removes a cell.
import { expect, test } from 'vitest'
import { startOwnPostgres } from './own-postgres.ts'
import { blockWith, openShell, replaced } from './shell.ts'

const server = await startOwnPostgres({ access: 'host all rapport localhost scram-sha-256' })
const addressOf = (database: string) => `rapport:secret@localhost:${server.port}/${database}`
const shell = await openShell({ DATABASE_URL: `postgres://${addressOf('rapport')}` })

const rapport = (words: string) => shell.run(`npx rapport ${words}`)

test('the commands add cells, move the organizations of one, and start the service without it', async () => {
  const database = replaced(blockWith('database', 'create role rapport'), { '…': 'secret' })
  await server.ask(database)
  const [, statement = ''] = database.split(';\n')
  for (const name of ['eu', 'us'])
    await server.ask(replaced(statement, { 'database rapport': `database ${name}` }))
  const add = replaced(blockWith('cells', 'cells add'), {
    'rapport:…@db-eu/rapport': addressOf('eu'),
    'rapport:…@db-us/rapport': addressOf('us'),
  })
  const [setting = '', ...commands] = add.split('\n')
  await shell.start(`${setting}\nnpm start\n`)
  expect(await shell.run(commands.join('\n'))).toMatch(/^1 +eu +active +0 .*\n2 +us +active +0 /m)

  const owner = "--owner-name Ada --owner-email ada@example.com --owner-password 'correct horse'"
  await rapport(`org create --name Acme ${owner}`)
  expect(await rapport('org show acme')).toContain('eu')
  const removal = await shell.run(blockWith('cells', 'cells drain'))
  expect(removal).toMatch(/^slug\nacme\n/m)
  expect(removal).toMatch(/^eu +yes +draining +\S+ +0 +0, 0 s /m)
  await shell.stop()

  await shell.start(`export CELLS="us=postgres://${addressOf('us')}"\nnpm start\n`)
  expect(await rapport('org show acme')).toContain('us')
  await shell.stop()
})
