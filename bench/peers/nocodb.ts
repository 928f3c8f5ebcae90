// NocoDB: a base and a table made over its API, an API token.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { numbered, type Peer, type PeerPlace } from './peer.ts'
import { FIELDS, type Field } from './people.ts'
import { send, startPeer } from './processes.ts'

const ADMIN = { email: 'bench@example.com', password: 'Bench-password-1' }

const TYPES: Record<Field['kind'], string> = {
  ...{
    text: 'SingleLineText',
    email: 'Email',
    phone: 'PhoneNumber',
    select: 'SingleSelect',
    longText: 'LongText',
  },
  ...{ integer: 'Number', decimal: 'Decimal', boolean: 'Checkbox', date: 'Date' },
}

const columnOf = ({ name, kind, options }: Field) => ({
  ...{ column_name: name, title: name, uidt: TYPES[kind] },
  ...(options && { colOptions: { options: options.map((title) => ({ title })) } }),
})

const TABLE = {
  table_name: 'contacts',
  title: 'contacts',
  columns: [{ column_name: 'id', title: 'Id', uidt: 'ID' }, ...FIELDS.map(columnOf)],
}

/** Runs NocoDB's library in an Express server, the way to start it without its container. */
const PROGRAM = `const { Noco } = require('nocodb')
const app = require('express')()
const server = app.listen(Number(process.env.PORT), '127.0.0.1', async () => {
  app.use(await Noco.init({}, server, app))
})
`

function environment({ folder, port, connection }: PeerPlace): Record<string, string> {
  const { host, user, password, database } = connection
  const knex = { client: 'pg', connection: { host, port: connection.port, user, password, database } }
  return {
    ...{ PORT: String(port), NC_DB_JSON: JSON.stringify(knex), NC_TOOL_DIR: folder, NC_DISABLE_TELE: 'true' },
    ...{ NC_AUTH_JWT_SECRET: 'bench-secret-of-nocodb', NC_DISABLE_SUPPORT_CHAT: 'true' },
    ...{ NC_ADMIN_EMAIL: ADMIN.email, NC_ADMIN_PASSWORD: ADMIN.password },
  }
}

interface Made {
  id: string
}

async function makeTable(url: string) {
  const { token: session } = await send<{ token: string }>(`${url}/api/v1/auth/user/signin`, { body: ADMIN })
  const headers = { 'xc-auth': session }
  const base = await send<Made>(`${url}/api/v2/meta/bases/`, { headers, body: { title: 'bench' } })
  const table = await send<Made>(`${url}/api/v2/meta/bases/${base.id}/tables`, { headers, body: TABLE })
  const tokens = `${url}/api/v2/meta/bases/${base.id}/api-tokens`
  const { token } = await send<{ token: string }>(tokens, { headers, body: { description: 'bench' } })
  return { base: base.id, table: table.id, token }
}

export const nocodb: Peer = {
  name: 'nocodb',
  async open(lab, place) {
    const { folder, port } = place
    const file = join(folder, 'start.cjs')
    await writeFile(file, PROGRAM)
    const url = `http://127.0.0.1:${port}`
    const program = { name: 'NocoDB', file, cwd: folder, env: environment(place) }
    const child = await startPeer(lab, program, `${url}/api/v1/health`)
    const { base, table, token } = await makeTable(url)
    const name = `"${base}".contacts`
    return {
      child,
      address: {
        ...{ system: 'nocodb', url, headers: { 'xc-token': token, 'content-type': 'application/json' } },
        ...{ path: `/api/v2/tables/${table}/records`, listPath: `/api/v3/data/${base}/${table}/records` },
      },
      table: { name, extra: { columns: ['nc_order', 'created_at'], values: (n) => [n + 1, 'now'] } },
      idOf: numbered,
      indexes: [`create unique index on ${name} (email)`, `create index on ${name} (industry)`],
    }
  },
}
