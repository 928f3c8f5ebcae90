// The examples of AWS: "Authenticating Requests" in the API reference of Amazon S3.
import { describe, expect, test } from 'vitest'
import { presignedUrl, signedHeaders } from './signature.ts'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const at = new Date('2013-05-24T00:00:00Z')
const urlOf = (path: string) => new URL(path, 'https://examplebucket.s3.amazonaws.com')

describe('the request', () => {
  test.each([
    [
      'GET Object',
      '/test.txt',
      { range: 'bytes=0-9' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'GET Bucket Lifecycle',
      '/?lifecycle',
      {},
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET Bucket (List Objects)',
      '/?max-keys=2&prefix=J',
      {},
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('of %s has the signature that AWS publishes', async (_, path, headers, signature) => {
    const signed = await signedHeaders({ method: 'GET', url: urlOf(path), headers }, credentials, { at })
    expect(signed['authorization']).toMatch(new RegExp(`, Signature=${signature}$`))
    expect(signed['x-amz-date']).toBe('20130524T000000Z')
  })

  test('with a presigned address has the address that AWS publishes', async () => {
    const signable = { method: 'GET', url: urlOf('/test.txt'), headers: {} }
    expect(await presignedUrl(signable, credentials, { at, seconds: 86_400 })).toBe(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Expires=86400&X-Amz-Date=20130524T000000Z' +
        '&X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })
})
