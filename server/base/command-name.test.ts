import { expect, test } from 'vitest'
import { rapportCommand } from './command-name.ts'

test.each([
  ['npm start', { npm_lifecycle_event: 'start' }, 'npx rapport'],
  ['npx', { npm_lifecycle_event: 'npx' }, 'npx rapport'],
  ['systemd or a container', {}, 'rapport'],
])('a process that was started by %s names the command %o', (_, env, name) => {
  expect(rapportCommand(env)).toBe(name)
})
