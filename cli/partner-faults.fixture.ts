// Faults of the dependencies of a service other than databases: mail, files, Svix, and the certificate of its proxy.
import { createAuthority, inDays } from '../server/test/certificates.ts'
import type { ServiceStage } from './doctor-service.fixture.ts'
import type { RealFault } from './faults.fixture.ts'

type Stage<Part extends keyof ServiceStage> = Pick<ServiceStage, Part>

export function mailFaults({ mailProxy }: Stage<'mailProxy'>): RealFault[] {
  return [
    {
      fault: 'the SMTP server is away',
      begin: async () => mailProxy.refuse(),
      end: async () => mailProxy.accept(),
      ...{ check: 'mail', status: 'fail', detail: /^127\.0\.0\.1:\d+: ./, step: /SMTP_URL/ },
    },
  ]
}

export function refusedFileFaults({ bucket }: Stage<'bucket'>): RealFault[] {
  return [
    {
      fault: 'the bucket refuses the key',
      begin: async () => Object.assign(bucket.access, { accessKeyId: 'another' }),
      end: async () => Object.assign(bucket.access, { accessKeyId: 'AKIDTESTS' }),
      ...{
        check: 'files',
        status: 'fail',
        detail: /it refuses the access key/,
        step: /S3_BUCKET and the access key/,
      },
    },
    {
      fault: 'the bucket was deleted',
      begin: async () => Object.assign(bucket.access, { bucket: 'another' }),
      end: async () => Object.assign(bucket.access, { bucket: 'files-of-tests' }),
      ...{ check: 'files', status: 'fail', detail: /there is no such bucket/, step: /S3_BUCKET/ },
    },
    {
      fault: 'the clock of the bucket differs',
      begin: async () => Object.assign(bucket, { aheadMs: 20 * 60_000 }),
      end: async () => Object.assign(bucket, { aheadMs: 0 }),
      ...{
        check: 'files',
        status: 'fail',
        detail: /clock differs .* by 20 minutes.*NTP/,
        step: /S3_ENDPOINT/,
      },
    },
  ]
}

export function fileFaults({ bucket, bucketProxy }: Stage<'bucket' | 'bucketProxy'>): RealFault[] {
  return [
    {
      fault: 'the bucket fails',
      begin: async () => Object.assign(bucket, { mood: 'fail' }),
      end: async () => Object.assign(bucket, { mood: 'well' }),
      ...{ check: 'files', status: 'fail', detail: /it responds with 500/, step: /S3_ENDPOINT/ },
    },
    {
      fault: 'the bucket is away',
      begin: async () => bucketProxy.refuse(),
      end: async () => bucketProxy.accept(),
      ...{ check: 'files', status: 'fail', detail: /it does not respond/, step: /S3_ENDPOINT/ },
    },
  ]
}

export function svixFaults({ svix }: Stage<'svix'>): RealFault[] {
  return [
    {
      fault: 'Svix refuses the token',
      begin: async () => Object.assign(svix, { token: 'another' }),
      end: async () => Object.assign(svix, { token: 'testsk_5mSk0WjUeb1.eu' }),
      ...{ check: 'webhooks', status: 'fail', detail: /responded with 401/, step: /SVIX_TOKEN/ },
    },
    {
      fault: 'Svix fails',
      begin: async () => svix.interfere(() => ({ status: 503 })),
      end: async () => svix.interfere(),
      ...{ check: 'webhooks', status: 'fail', detail: /503/, step: /SVIX_SERVER_URL.*72 hours/ },
    },
  ]
}

export function certificateFaults({ https }: Stage<'https'>): RealFault[] {
  const other = createAuthority()
  const present = (certificate: typeof https.usual) => async () => https.server.setSecureContext(certificate)
  const names = ['127.0.0.1']
  return [
    {
      fault: 'the certificate has expired',
      begin: present(https.authority.issue({ names, from: inDays(-90), to: inDays(-1) })),
      end: present(https.usual),
      ...{ check: 'certificate', status: 'fail', detail: /expired at 20/, step: /renew it/ },
    },
    {
      fault: 'the certificate expires soon',
      begin: present(https.authority.issue({ names, to: inDays(5) })),
      end: present(https.usual),
      ...{ check: 'certificate', status: 'warn', detail: /is valid until 20/, step: /automatic renewal/ },
    },
    {
      fault: 'the certificate is of another name',
      begin: present(https.authority.issue({ names: ['db.example.com'] })),
      end: present(https.usual),
      ...{ check: 'certificate', status: 'fail', detail: /is of another name/, step: /correct BASE_URL/ },
    },
    {
      fault: 'the certificate is not trusted',
      begin: present(other.issue({ names })),
      end: present(https.usual),
      ...{ check: 'certificate', status: 'warn', detail: /does not trust/, step: /NODE_EXTRA_CA_CERTS/ },
    },
  ]
}
