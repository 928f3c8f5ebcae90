import { privacyRoutes } from '../../contract/privacy.ts'
import { addRoute } from '../http/add-route.ts'
import { sendAttachment } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { archiveRecord } from './archive/archive.ts'
import { listMentions } from './mentions.ts'
import { previewErasure } from './preview.ts'
import { eraseRecord, getRequest, listRequests } from './service.ts'

export function addPrivacyRoutes(app: App): void {
  addRoute(app, privacyRoutes.previewErasure, ({ ctx, caller, params }) =>
    previewErasure(ctx, caller, params),
  )

  addRoute(app, { ...privacyRoutes.listMentions, isSearch: true }, ({ ctx, caller, params }) =>
    listMentions(ctx, caller, params),
  )

  addRoute(app, privacyRoutes.eraseRecord, ({ ctx, caller, params, body }) =>
    eraseRecord(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, privacyRoutes.listPrivacyRequests, ({ ctx, caller, query }) =>
    listRequests(ctx, caller, query),
  )

  addRoute(app, privacyRoutes.getPrivacyRequest, ({ ctx, caller, params }) =>
    getRequest(ctx, caller.org, params.requestId),
  )

  addRoute(app, privacyRoutes.archiveRecord, async ({ ctx, caller, params }, reply) => {
    const archive = await archiveRecord(ctx, caller, params)
    return sendAttachment(reply, { ...archive, type: 'application/zip' }) as unknown as string
  })
}
