// The client of a request, as sign-in attempts and sessions record it.
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
