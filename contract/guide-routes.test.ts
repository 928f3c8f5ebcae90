// The guides name only routes and parameters that the API has.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { API } from './api.ts'
import { type ApiRoute, placeOf } from './route.ts'

const FOLDER = fileURLToPath(new URL('../docs/guide', import.meta.url))
const guides = globSync('*.md', { cwd: FOLDER })

const routes = API.flatMap((section): ApiRoute[] => Object.values(section.routes))

/** A part matches itself, and a parameter matches an example of an id or slug: `<id>`, `people`. */
const matches = (part: string, declared: string) =>
  part === declared || (declared.startsWith(':') && /^(?::\w+|<\w+>|[\w-]+)$/.test(part))

/** A path that begins with `…` matches the end of a route's path: `…/records/bulk`. */
function isNamed(path: string, declared: string): boolean {
  const [parts, all] = [path.replace(/^…\//, '').split('/'), declared.split('/')]
  const end = path.startsWith('…') ? all.slice(-parts.length) : all
  return parts.length === end.length && parts.every((part, at) => matches(part, end[at] ?? ''))
}

interface Named {
  method: string
  path: string
  parameters: string[]
}

function routesIn(text: string): Named[] {
  return [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^`\s]+)`/g)].map(
    ([, method = '', address = '']) => {
      const [path = '', query = ''] = address.split('?')
      const parameters = [...new URLSearchParams(query).keys()]
      return { method, path: path.replace(/^\/api\/v1/, ''), parameters }
    },
  )
}

/** Deprecated parameters do not count, because guides must not name them. */
const hasParameter = (route: ApiRoute, name: string): boolean => {
  const { properties = {} } = (route.query ?? {}) as { properties?: Record<string, { description?: string }> }
  const { [name]: found } = properties
  return found !== undefined && !found.description?.startsWith('Deprecated')
}

const isRoute = ({ method, path, parameters }: Named): boolean =>
  routes.some((route) => {
    const place = placeOf(route)
    const isHere = place.method === method && isNamed(path, place.path)
    return isHere && parameters.every((one) => hasParameter(route, one))
  })

const textOf = (guide: string) => readFileSync(`${FOLDER}/${guide}`, 'utf8')

test.each(guides)('routes in %s exist, with their parameters', (guide) => {
  expect(routesIn(textOf(guide)).filter((one) => !isRoute(one))).toEqual([])
})

test.each(guides)('parameters in %s exist', (guide) => {
  const named = [...textOf(guide).matchAll(/`\?(\w+)=[^`]*`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !routes.some((route) => hasParameter(route, name)))).toEqual([])
})

test('the search finds the routes of api.md', () => {
  expect(routesIn(textOf('api.md')).length).toBeGreaterThan(40)
})
