// What the dashboard's settings change of attributes beyond the API.
import { Type } from 'typebox'
import {
  AttributeActivation,
  AttributeOrder,
  SelectOptions,
} from '../../contract/attribute-administration.ts'
import { Attribute, AttributeList } from '../../contract/attributes.ts'
import type { App } from '../http/request.ts'
import { orderAttributes, setOptions } from './administration.ts'
import { setAttributeActive } from './service.ts'

const ObjectParams = Type.Object({ objectId: Type.String() })
const AttributeParams = Type.Object({ objectId: Type.String(), attributeId: Type.String() })

export function attributeDashboardRoutes(app: App): void {
  app.patch(
    '/objects/:objectId/attributes/:attributeId/active',
    {
      config: { scope: 'attributes:write' },
      schema: { params: AttributeParams, body: AttributeActivation, response: { 200: Attribute } },
    },
    ({ ctx, caller, params, body }) => setAttributeActive(ctx, caller.org, { ...params, ...body }),
  )

  app.put(
    '/objects/:objectId/attributes/:attributeId/options',
    {
      config: { scope: 'attributes:write' },
      schema: { params: AttributeParams, body: SelectOptions, response: { 200: Attribute } },
    },
    ({ ctx, caller, params, body }) => setOptions(ctx, caller.org, { ...params, ...body }),
  )

  app.put(
    '/objects/:objectId/attribute-order',
    {
      config: { scope: 'attributes:write' },
      schema: { params: ObjectParams, body: AttributeOrder, response: { 200: AttributeList } },
    },
    async ({ ctx, caller, params, body }) => ({
      attributes: await orderAttributes(ctx, caller.org, { ...params, ...body }),
    }),
  )
}
