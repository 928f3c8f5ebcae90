// All samples, in the order of their tabs. samples.test.ts runs each of them.
import { curlSample } from './curl.ts'
import { nodeCryptoSample } from './node-crypto.ts'
import { nodeLibrarySample } from './node-library.ts'
import { opensslSample } from './openssl.ts'
import { pythonSample } from './python.ts'

interface Sample {
  id: string
  label: string
  /** Description in a sentence. */
  about: string
  /** @param secret whsec_…, or a placeholder while the secret is hidden */
  code(secret: string): string
}

export const SAMPLES: readonly Sample[] = [
  {
    id: 'node-library',
    label: 'Node.js',
    about: 'A receiver that uses the package standardwebhooks.',
    code: nodeLibrarySample,
  },
  {
    id: 'node-crypto',
    label: 'Node.js, no package',
    about: 'The same with node:crypto and no package.',
    code: nodeCryptoSample,
  },
  {
    id: 'python',
    label: 'Python',
    about: 'A receiver with the standard library of Python 3.9 or later.',
    code: pythonSample,
  },
  {
    id: 'openssl',
    label: 'openssl',
    about: 'Checks the saved body of one delivery.',
    code: opensslSample,
  },
  {
    id: 'curl',
    label: 'curl',
    about: 'Signs an event and sends it to a receiver on your machine.',
    code: curlSample,
  },
]
