import { expect, test } from 'vitest'
import { readableUrl } from './malformed.ts'

test.each([
  ['/api/v1/objects', '/api/v1/objects'],
  ['/objects/caf%C3%A9?x=%zz', '/objects/caf%C3%A9?x=%zz'],
  ['/objects/%', '/objects/%25'],
  ['/objects/%zz/records?limit=1', '/objects/%25zz/records?limit=1'],
  ['/objects/%ff%41', '/objects/%25ff%2541'],
  ['/?%', '/?%'],
])('the path %s is routed as %s', (url, looked) => {
  expect(readableUrl({ url })).toBe(looked)
})
