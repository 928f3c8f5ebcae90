import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sharedTestService } from '../../test/shared-service.ts'
import { SERVICE_PATHS } from './service-paths.ts'

const dashboard = fileURLToPath(new URL('../../../dashboard', import.meta.url))
const isOfService = (path: string) => new RegExp(SERVICE_PATHS).test(path)

test('SERVICE_PATHS matches every route of the service', async () => {
  const { routes } = await sharedTestService()
  // Without built pages, the only page of the service is the redirect of its root.
  const paths = [...new Set(routes.map(({ url }) => url))].filter((url) => url !== '/')
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((url) => !isOfService(url))).toEqual([])
})

test('SERVICE_PATHS matches no page and no source of the dashboard', () => {
  const sources = globSync('**/*.{ts,tsx,css,html,js,svg}', { cwd: dashboard, exclude: ['dist*/**'] })
  expect(sources).toContain(join('shared', 'api', 'errors.ts'))
  expect(sources.map((source) => `/${source}`).filter(isOfService)).toEqual([])
  expect(['/', '/sign-in', '/o/acme', '/o/acme/settings/api-keys', '/portal'].filter(isOfService)).toEqual([])
})
