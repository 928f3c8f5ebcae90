// What a person sees after npm start: where everything is and, the first time, how to get into the demo.
import type { DemoAccess } from './demo/service.ts'
import type { OpenContext } from './open-context.ts'

const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`)

const addressLines = ({ config }: OpenContext['ctx'], base: string): string[] => [
  '',
  `  Rapport is running at   ${base}`,
  `  Dashboard               ${base}`,
  `  API                     ${base}/api/v1`,
  `  API reference           ${base}/docs`,
  `  API document (OpenAPI)  ${base}/api/v1/openapi.json`,
  `  Data folder             ${config.databaseUrl ? 'the database in DATABASE_URL' : config.dataDir}`,
  '',
]

const demoLines = ({ email, password, key }: DemoAccess, base: string): string[] => [
  '  The demo organization is ready: 563 companies, 687 people, 200 deals, 400 activities.',
  '  Companies and members of Congress are real; the sales pipeline is fictional and marked as such.',
  '',
  `  Sign in                 ${email}  ${password}`,
  `  API key, full access    ${key}`,
  '  Both are shown only once. More keys: npx rapport keys create --org rapport-demo --name "Mine" --full-access',
  '',
  '  List three companies:',
  '',
  `curl -s ${base}/api/v1/objects/companies/records/search -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"sort":{"field":"name","order":"asc"},"limit":3}'`,
  '',
]

async function announceDemo({ ctx, pool }: OpenContext, base: string): Promise<void> {
  const { openDemo } = await import('./demo/service.ts')
  const access = await openDemo({ ...ctx, db: pool }, ctx.auth)
  if (!access) return
  print(demoLines(access, base))
  await access.confirm()
}

/**
 * Prints the addresses, on stdout, then makes and shows the demo organization where the configuration asks for it.
 * `address`: where the server listens. Without a demo the service is as good as with one: a failure is only reported.
 */
export async function announce(opened: OpenContext, address: string): Promise<void> {
  const { ctx } = opened
  const base = ctx.config.port === 0 ? address : ctx.config.baseUrl
  print(addressLines(ctx, base))
  if (!ctx.config.demo) return
  await announceDemo(opened, base).catch((err) => {
    ctx.log.error({ err }, 'the demo organization could not be created')
  })
}
