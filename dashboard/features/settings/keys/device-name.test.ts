import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

const MOZILLA = 'Mozilla/5.0'
const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${MOZILLA} (Windows NT 10.0) ${KHTML} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Version/18.0 Safari/605.1.15`, 'Safari on macOS'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${KHTML} CriOS/140 Mobile Safari/604`,
    'Chrome on iPhone',
  ],
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [
    `${MOZILLA} (Linux; Android 15) ${KHTML} SamsungBrowser/28 Chrome/130 Mobile Safari/537`,
    'Samsung Internet on Android',
  ],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('names the device of %s “%s”', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))
