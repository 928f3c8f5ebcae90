// The message after the first start: how to use the demo organization.
import type { Context } from '../context.ts'
import { type DemoAccess, openDemo } from './service.ts'

const demoLines = ({ email, password, key }: DemoAccess, base: string): string[] => [
  '  The demo organization is ready: 564 companies, 688 people, 200 deals, 430 activities.',
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

/** Makes the demo organization if there is no organization, and prints how to sign in. `ctx.db` is the pool. */
export async function announceDemo(ctx: Context, base: string): Promise<void> {
  const access = await openDemo(ctx, ctx.auth)
  if (!access) return
  process.stdout.write(`${demoLines(access, base).join('\n')}\n`)
  await access.confirm()
}
