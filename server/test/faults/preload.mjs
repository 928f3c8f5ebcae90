// Loaded into the service before all other code: faults inside its process. They are read from a file, so that a test
// can change them while the service runs: {"dns": true} and {"clockMs": 7200000}.
import dns from 'node:dns'
import { readFileSync } from 'node:fs'

const file = process.env.FAULTS_FILE

function faults() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

const lookup = dns.lookup
dns.lookup = (host, options, callback = options) => {
  if (!faults().dns || host === '127.0.0.1') return lookup(host, options, callback)
  const error = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), {
    ...{ errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: host },
  })
  process.nextTick(callback, error)
}

const SystemDate = Date
const skewMs = faults().clockMs ?? 0
if (skewMs !== 0)
  globalThis.Date = class extends SystemDate {
    constructor(...given) {
      if (given.length === 0) super(SystemDate.now() + skewMs)
      else super(...given)
    }

    static now() {
      return SystemDate.now() + skewMs
    }
  }
