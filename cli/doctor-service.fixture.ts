// A running service with all its dependencies, each of which can be broken: its PostgreSQL, a standby, a cell, an SMTP
// server, a bucket, Svix, and a proxy with a certificate.

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import sql from 'sql-template-tag'
import { addCell } from '../server/cells/service.ts'
import type { Db } from '../server/db/pool.ts'
import { startStandIn as startBucket } from '../server/files/s3/stand-in.fixture.ts'
import { startSmtpServer } from '../server/mail/smtp-server.fixture.ts'
import { urlOfDatabase } from '../server/operations/cluster/databases.ts'
import { afterFile } from '../server/test/after-file.ts'
import { createAuthority } from '../server/test/certificates.ts'
import { createTestDatabase } from '../server/test/database.ts'
import { startFaultProxy } from '../server/test/faults/proxy.ts'
import { startServer } from '../server/test/outage/server.ts'
import { startStandby } from '../server/test/standby.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { startStandIn as startSvix } from '../server/webhooks/svix/stand-in.fixture.ts'
import { startShared } from './faults.fixture.ts'

/** A proxy in front of a server on a port of this machine, which can break its connections. */
async function breakable(port: number) {
  const proxy = await startFaultProxy({ host: '127.0.0.1', port })
  afterFile(() => proxy.close())
  return proxy
}

/** Simulates the reverse proxy at BASE_URL. */
async function startHttps() {
  const authority = createAuthority()
  const usual = authority.issue({ names: ['127.0.0.1'] })
  const server = createServer(usual, (socket) => void socket.end()).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => undefined)
  await once(server, 'listening')
  afterFile(() => void server.close())
  const { port } = server.address() as { port: number }
  return { server, authority, usual, url: `https://127.0.0.1:${port}` }
}

async function startDatabases() {
  const server = await startServer()
  afterFile(() => server.close())
  const standby = await startStandby({ pool: server.pool, connection: server.administration })
  const { pool, connection } = await createTestDatabase()
  const proxy = await startFaultProxy(connection)
  afterFile(() => proxy.close())
  const { cell: number } = await addCell(server.pool, pool, 'one')
  const { id: installation } = await pool.one<{ id: string }>(sql`select id from installation`)
  const url = urlOfDatabase({ ...connection, port: proxy.port })
    .replace('@localhost:', '@127.0.0.1:')
    .replace(/\?.*/, '')
  return { server, standby, cell: { number, installation, pool, proxy, url } }
}

async function startPartners() {
  const [bucket, svix, smtp, https] = [
    await startBucket(),
    await startSvix(),
    await startSmtpServer(),
    await startHttps(),
  ]
  const bucketProxy = await breakable(Number(new URL(bucket.access.endpoint).port))
  const mailProxy = await breakable(Number(new URL(smtp.url).port))
  return { bucket, svix, https, bucketProxy, mailProxy }
}

type Partners = Awaited<ReturnType<typeof startPartners>>

const environmentOf = ({ bucket, svix, https, bucketProxy, mailProxy }: Partners) => ({
  ...{ S3_BUCKET: bucket.access.bucket, S3_REGION: bucket.access.region },
  S3_ENDPOINT: `http://127.0.0.1:${bucketProxy.port}`,
  S3_ACCESS_KEY_ID: bucket.access.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.access.secretAccessKey,
  ...{ SMTP_URL: `smtp://127.0.0.1:${mailProxy.port}`, MAIL_FROM: 'rapport@example.com' },
  ...{ WEBHOOK_PROVIDER: 'svix', SVIX_TOKEN: svix.token, SVIX_SERVER_URL: svix.url },
  BASE_URL: https.url,
})

/** Simulates a running worker. There is none, which would become another fault after some minutes. */
export const markWorking = (pool: Db) =>
  pool.run(sql`update deletion_clock set followed_at = now() + interval '1 hour'`)

/** Starts the service without a worker, so that faults of waiting work persist. */
export async function openStage() {
  const dataDir = await temporaryFolder()
  const { server, standby, cell } = await startDatabases()
  const partners = await startPartners()
  for (const pool of [server.pool, cell.pool]) await markWorking(pool)
  const { org } = await server.pool.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'A', 'a') returning org`,
  )
  const authorityFile = join(dataDir, 'ca.pem')
  await writeFile(authorityFile, partners.https.authority.cert)
  await startShared({
    ...environmentOf(partners),
    ...{
      DATA_DIR: dataDir,
      DATABASE_URL: urlOfDatabase(server.connection),
      CELLS: `one=${cell.url}`,
      ROLE: 'api',
    },
    ...{ DATABASE_REPLICA_URLS: standby.databaseUrl, DATABASE_REPLICA_LAG_MAX_MS: '1000' },
    NODE_EXTRA_CA_CERTS: authorityFile,
  })
  // The shell has only the folder of the service, and none of its other settings.
  return { ...partners, dataDir, server, standby, cell, org, shell: { DATA_DIR: dataDir, PORT: '0' } }
}

export type ServiceStage = Awaited<ReturnType<typeof openStage>>
