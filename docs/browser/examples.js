// SPDX-License-Identifier: Apache-2.0
// The examples of the S3 API Reference, "Authenticating Requests (AWS Signature Version 4)", whose
// signatures it publishes, and an answer to try.
"use strict";

const EXAMPLE_HOST = "examplebucket.s3.amazonaws.com";
const EXAMPLE_URL = `https://${EXAMPLE_HOST}`;
const EXAMPLES = [
  { title: "GET object", url: `${EXAMPLE_URL}/test.txt`, headers: "Range: bytes=0-9" },
  {
    title: "PUT object", method: "PUT", url: `${EXAMPLE_URL}/test%24file.text`,
    headers: "Date: Fri, 24 May 2013 00:00:00 GMT\nx-amz-storage-class: REDUCED_REDUNDANCY",
    body: "Welcome to Amazon S3.",
  },
  { title: "Bucket lifecycle", url: `${EXAMPLE_URL}/?lifecycle` },
  { title: "List objects", url: `${EXAMPLE_URL}/?max-keys=2&prefix=J` },
  { title: "Presigned GET", url: `${EXAMPLE_URL}/test.txt`, lifetime: "86400" },
].map((example) => ({
  method: "GET", headers: "", body: "", lifetime: "", time: "20130524T000000Z", region: "us-east-1",
  service: "s3", accessKeyID: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ...example,
}));

// As S3 answers to the first example when a proxy rewrites its Range header. The digest is that of
// Python's hashlib.
const EXAMPLE_ANSWER = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>SignatureDoesNotMatch</Code>
<Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message>
<AWSAccessKeyId>AKIAIOSFODNN7EXAMPLE</AWSAccessKeyId>
<StringToSign>AWS4-HMAC-SHA256
20130524T000000Z
20130524/us-east-1/s3/aws4_request
c7b42454a889a2b8bf73a4b187e7a9d3dc2884fe020d0b20c7e88a6de9405b05</StringToSign>
<SignatureProvided>f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41</SignatureProvided>
<CanonicalRequest>GET
/test.txt

host:examplebucket.s3.amazonaws.com
range:bytes=0-99
x-amz-content-sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
x-amz-date:20130524T000000Z

host;range;x-amz-content-sha256;x-amz-date
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855</CanonicalRequest>
</Error>`;
