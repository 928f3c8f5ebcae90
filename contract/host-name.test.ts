import { expect, test } from 'vitest'
import { hostIn, hostNameOf } from './host-name.ts'

test.each([
  ['acme.com', 'acme.com'],
  ['ACME.com.', 'acme.com'],
  ['https://Shop.Acme.com:8443/about?a=1#b', 'shop.acme.com'],
  ['//acme.com?a', 'acme.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['_dmarc.acme.com', '_dmarc.acme.com'],
  ['acme', undefined],
  ['ada@acme.com', undefined],
  ['192.0.2.7', undefined],
  ['[2001:db8::1]', undefined],
  ['acme.com:80:90', undefined],
  ['', undefined],
])('the host in %s is %s', (text, host) => {
  expect(hostIn(text)).toBe(host)
})

test.each([
  ['https://www.acme.com/', 'acme.com'],
  ['WWW.acme.com', 'acme.com'],
  ['www.com', 'www.com'],
  ['www2.acme.com', 'www2.acme.com'],
])('the host name of %s without www. is %s', (text, name) => {
  expect(hostNameOf(text)).toBe(name)
})
