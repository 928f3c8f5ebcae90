// Directus: a collection made over its API, a static token of its administrator.
import { join } from 'node:path'
import { numbered, type Peer, type PeerPlace } from './peer.ts'
import { FIELDS, type Field } from './people.ts'
import { runPeer, send, startPeer } from './processes.ts'

const TOKEN = 'bench-token-of-directus-0123456789'

const TYPES: Record<Field['kind'], string> = {
  ...{ text: 'string', email: 'string', phone: 'string', select: 'string', longText: 'text' },
  ...{ integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'date' },
}

const SCHEMAS: Record<string, object> = {
  email: { is_unique: true },
  industry: { is_indexed: true },
  revenue: { numeric_precision: 15, numeric_scale: 2 },
}

const COLLECTION = {
  collection: 'contacts',
  schema: {},
  meta: {},
  fields: [
    { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
    ...FIELDS.map(({ name, kind }) => ({ field: name, type: TYPES[kind], schema: SCHEMAS[name] ?? {} })),
  ],
}

const environment = ({ port, connection }: PeerPlace): Record<string, string> => ({
  ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error' },
  ...{ DB_CLIENT: 'pg', DB_HOST: connection.host, DB_PORT: String(connection.port) },
  ...{ DB_DATABASE: connection.database, DB_USER: connection.user, DB_PASSWORD: connection.password },
  ...{ SECRET: 'bench-secret-of-directus-0123456789', TELEMETRY: 'false', RATE_LIMITER_ENABLED: 'false' },
  ...{ ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: 'Bench-password-1', ADMIN_TOKEN: TOKEN },
})

export const directus: Peer = {
  name: 'directus',
  async open(lab, place) {
    const { folder, port } = place
    // Not the `directus` command, which looks for a newer version in the npm registry.
    const file = join(folder, 'node_modules/@directus/api/dist/cli/run.js')
    const program = { name: 'Directus', file, cwd: folder, env: environment(place) }
    await runPeer(lab, { ...program, args: ['bootstrap'] })
    const url = `http://127.0.0.1:${port}`
    const child = await startPeer(lab, { ...program, args: ['start'] }, `${url}/server/ping`)
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    await send(`${url}/collections`, { headers, body: COLLECTION })
    return {
      child,
      address: { system: 'directus', url, headers, path: '/items/contacts' },
      table: { name: 'contacts' },
      idOf: numbered,
      indexes: [],
    }
  },
}
