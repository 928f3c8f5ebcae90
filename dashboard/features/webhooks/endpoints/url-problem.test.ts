import { expect, test } from 'vitest'
import { isPlainHttp, urlProblem } from './url-problem.ts'

test.each([
  'https://example.com',
  ' https://example.com/webhooks?tenant=1 ',
  'https://bücher.example/hooks',
  'https://[2001:db8::1]:8443/',
  'HTTPS://EXAMPLE.COM',
  'http://localhost:4000/hooks',
])('accepts the URL %s', (url) => expect(urlProblem(url)).toBeUndefined())

test.each([
  ['  ', /^Enter/],
  ['example.com/hooks', /^Start/],
  ['ftp://example.com', /^Start/],
  ['javascript:alert(1)', /^Start/],
  ['https://', /^Enter a complete URL/],
  ['https://exa mple.com', /^Enter a complete URL/],
  ['https://example.com:99999', /^Enter a complete URL/],
  ['https://me:secret@example.com', /name and password/],
  ['https://example.com/#part', /#/],
  [`https://example.com/${'a'.repeat(2048)}`, /^Longer than 2048/],
])('refuses the URL %s: %s', (url, problem) => expect(urlProblem(url)).toMatch(problem))

test.each([
  ['http://localhost', true],
  ['https://localhost', false],
])('whether %s is plain HTTP: %s', (url, is) => expect(isPlainHttp(url)).toBe(is))
