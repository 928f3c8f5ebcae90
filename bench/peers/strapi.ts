// Strapi: a project that this file writes, with one content type and an API token with full access.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Peer, PeerPlace } from './peer.ts'
import { FIELDS, type Field } from './people.ts'
import { startPeer } from './processes.ts'

const TYPES: Record<Field['kind'], string> = {
  ...{ text: 'string', email: 'email', phone: 'string', select: 'string', longText: 'text' },
  ...{ integer: 'integer', decimal: 'decimal', boolean: 'boolean', date: 'date' },
}

const attributeOf = ({ name, kind }: Field) => [
  name,
  { type: TYPES[kind], ...(name === 'email' && { unique: true }) },
]

const CONTENT_TYPE = {
  kind: 'collectionType',
  collectionName: 'contacts',
  info: { singularName: 'contact', pluralName: 'contacts', displayName: 'Contact' },
  options: { draftAndPublish: false },
  attributes: Object.fromEntries(FIELDS.map(attributeOf)),
}

const MIDDLEWARES = [
  ...['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'],
].map((name) => `strapi::${name}`)

const exported = (value: object) => `module.exports = ${JSON.stringify(value)}\n`

const factory = (kind: string) =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::contact.contact')\n`

/** The program itself makes its token: the API for tokens is only for the administrator's pages. */
const BOOTSTRAP = `module.exports = {
  async bootstrap({ strapi }) {
    const token = await strapi.service('admin::api-token').create({
      name: 'bench', description: '', type: 'full-access', lifespan: null,
    })
    require('node:fs').writeFileSync('token', token.accessKey)
  },
}
`

const secret = (letter: string) => letter.repeat(32)

function filesOf({ port, connection }: PeerPlace): Record<string, string> {
  const { host, user, password, database } = connection
  const session = { host, port: connection.port, user, password, database }
  const api = 'src/api/contact'
  return {
    'config/database.js': exported({ connection: { client: 'postgres', connection: session } }),
    'config/server.js': exported({ host: '127.0.0.1', port, app: { keys: [secret('a'), secret('b')] } }),
    'config/admin.js': exported({
      ...{ serveAdminPanel: false, auth: { secret: secret('c') }, apiToken: { salt: secret('d') } },
      ...{ transfer: { token: { salt: secret('e') } }, secrets: { encryptionKey: secret('f') } },
    }),
    'config/api.js': exported({ rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }),
    'config/middlewares.js': exported(MIDDLEWARES),
    'src/index.js': BOOTSTRAP,
    [`${api}/content-types/contact/schema.json`]: JSON.stringify(CONTENT_TYPE),
    [`${api}/controllers/contact.js`]: factory('Controller'),
    [`${api}/routes/contact.js`]: factory('Router'),
    [`${api}/services/contact.js`]: factory('Service'),
    'public/uploads/.gitkeep': '',
    'favicon.png': '',
  }
}

const DOCUMENT_ID_LENGTH = 24
const documentId = (n: number) => String(n).padStart(DOCUMENT_ID_LENGTH, 'a')

const EXTRA = {
  columns: ['document_id', 'created_at', 'updated_at', 'published_at'],
  values: (n: number) => [documentId(n), 'now', 'now', 'now'],
}

export const strapi: Peer = {
  name: 'strapi',
  async open(lab, place) {
    const { folder, port } = place
    for (const [path, text] of Object.entries(filesOf(place))) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const url = `http://127.0.0.1:${port}`
    const file = join(folder, 'node_modules/@strapi/strapi/bin/strapi.js')
    const env = { STRAPI_TELEMETRY_DISABLED: 'true' }
    const program = { name: 'Strapi', file, args: ['start'], cwd: folder, env }
    const child = await startPeer(lab, program, `${url}/_health`)
    const headers = {
      authorization: `Bearer ${await readFile(join(folder, 'token'), 'utf8')}`,
      'content-type': 'application/json',
    }
    return {
      child,
      address: { system: 'strapi', url, headers, path: '/api/contacts' },
      table: { name: 'contacts', extra: EXTRA },
      idOf: documentId,
      indexes: ['create unique index on contacts (email)', 'create index on contacts (industry)'],
    }
  },
}
