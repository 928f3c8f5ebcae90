// Who makes a request, as far as attempts and sessions are concerned.
import type { FastifyRequest } from 'fastify'

export interface Client {
  address: string
  userAgent: string | undefined
  cookie: string | undefined
}

export const clientOf = ({ ip, headers }: FastifyRequest): Client => ({
  address: ip,
  userAgent: headers['user-agent'],
  cookie: headers.cookie,
})
