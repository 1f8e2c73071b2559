/** Schemas of each route: requests as used by the server, responses as used by its tests. */

import type { z } from "zod";
import * as mini from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { schema as batchRequest } from "../../worker/endpoints/batches/params.ts";
import { schema as moreOfChat } from "../../worker/endpoints/chat/more-fields.ts";
import { schema as plainChat } from "../../worker/endpoints/chat/params.ts";
import { chatChunkSchema, chatCompletionSchema } from "../../worker/endpoints/chat/response-schema.ts";
import { schema as completionRequest } from "../../worker/endpoints/completions/params.ts";
import {
  completionChunkSchema,
  completionSchema,
} from "../../worker/endpoints/completions/response-schema.ts";
import { schema as embeddingRequest } from "../../worker/endpoints/embeddings/params.ts";
import { schema as fileRequest } from "../../worker/endpoints/files/params.ts";
import { schema as responseRequest } from "../../worker/endpoints/responses/fields.ts";
import { eventSchema, responseSchema } from "../../worker/endpoints/responses/response-schema.ts";
import * as answers from "./answers.ts";

export interface Operation {
  summary: string;
  query?: Record<string, object>;
  body?: { schema: $ZodType; more?: Record<string, object>; required?: string[]; isForm?: boolean };
  /** Absent: bytes. */
  answer?: z.ZodType;
  /** Schema of a stream event. */
  event?: z.ZodType;
}

const text = { type: "string" };
const timestamp = { type: "string", format: "date-time" };
const listQuery = {
  status: { type: "string", enum: ["DRAFT", "FINALIZED", "VOID"] },
  starting_on: timestamp,
  ending_before: timestamp,
};
const page = (maximum: number) => ({
  after: text,
  limit: { type: "integer", minimum: 1, maximum },
  order: { type: "string", enum: ["asc", "desc"] },
});
const tokens = { type: "array", items: { type: "integer", minimum: 0 } };

const responseBody = {
  schema: responseRequest,
  more: { input: { anyOf: [text, { type: "array", items: { type: "object" } }] } },
};

const chatRequest = mini.object({ ...plainChat.shape, ...moreOfChat.shape });

/** By method and path, as in the server's route table. */
export const operations: Record<string, Operation> = {
  "POST /v1/chat/completions": {
    summary: "A chat completion, whole or streamed.",
    body: { schema: chatRequest },
    answer: chatCompletionSchema,
    event: chatChunkSchema,
  },
  "POST /v1/chat/completions/render": {
    summary: "The prompt of a chat request, which is not run.",
    body: { schema: chatRequest },
    answer: answers.prompt,
  },
  "POST /v1/completions": {
    summary: "A completion of a prompt, whole or streamed.",
    body: { schema: completionRequest },
    answer: completionSchema,
    event: completionChunkSchema,
  },
  "POST /v1/responses": {
    summary: "A response, whole or streamed.",
    body: responseBody,
    answer: responseSchema,
    event: eventSchema,
  },
  "POST /v1/responses/render": {
    summary: "The prompt of a request for a response, which is not run.",
    body: responseBody,
    answer: answers.prompt,
  },
  "POST /v1/responses/input_tokens": {
    summary: "The input tokens of a request for a response, which is not run.",
    body: responseBody,
    answer: answers.inputTokens,
  },
  "POST /v1/embeddings": {
    summary: "Vectors of texts or tokens.",
    body: {
      schema: embeddingRequest,
      more: {
        input: { anyOf: [text, { type: "array", items: text }, tokens, { type: "array", items: tokens }] },
      },
      required: ["input"],
    },
    answer: answers.embeddingList,
  },
  "GET /v1/models": { summary: "The models that the key may use.", answer: answers.modelList },
  "GET /v1/models/{model}": { summary: "One model.", answer: answers.model },
  "GET /v1/files": {
    summary: "The files of the account.",
    query: { ...page(10_000), purpose: text },
    answer: answers.fileList,
  },
  "POST /v1/files": {
    summary: "Stores a file of batch lines.",
    body: {
      schema: fileRequest,
      more: { file: { type: "string", contentMediaType: "application/octet-stream" } },
      required: ["file"],
      isForm: true,
    },
    answer: answers.file,
  },
  "GET /v1/files/{file_id}": { summary: "One file.", answer: answers.file },
  "DELETE /v1/files/{file_id}": { summary: "Deletes a file.", answer: answers.deletedFile },
  "GET /v1/files/{file_id}/content": { summary: "The bytes of a file." },
  "GET /v1/batches": { summary: "The batches of the account.", query: page(100), answer: answers.batchList },
  "POST /v1/batches": { summary: "Starts a batch.", body: { schema: batchRequest }, answer: answers.batch },
  "GET /v1/batches/{batch_id}": { summary: "One batch.", answer: answers.batch },
  "POST /v1/batches/{batch_id}/cancel": { summary: "Cancels a batch.", answer: answers.batch },
  "GET /v1/billing/invoices": {
    summary: "The invoices of the account.",
    query: listQuery,
    answer: answers.invoiceList,
  },
  "GET /v1/billing/invoices/current": { summary: "The draft of this month.", answer: answers.invoice },
  "GET /v1/billing/invoices/breakdowns": {
    summary: "What was used in each hour or day.",
    query: {
      ...listQuery,
      window_size: { type: "string", enum: ["hour", "HOUR", "Hour", "day", "DAY", "Day"] },
      skip_zero_qty_line_items: { type: "boolean" },
      limit: { type: "integer", minimum: 1 },
      next_page: text,
    },
    answer: answers.breakdowns,
  },
  "GET /v1/billing/invoices/{invoice_id}": { summary: "One invoice.", answer: answers.invoice },
};
