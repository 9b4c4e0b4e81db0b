// SPDX-License-Identifier: Apache-2.0
// The loop of the peer aws-c-auth, which build-aws-c-auth makes a library of: nothing of it is in ours.

#include <aws/auth/auth.h>
#include <aws/auth/credentials.h>
#include <aws/auth/signable.h>
#include <aws/auth/signing.h>
#include <aws/auth/signing_config.h>
#include <aws/auth/signing_result.h>
#include <aws/common/string.h>
#include <aws/http/request_response.h>
#include <string.h>
#include <time.h>

struct signature {
    struct aws_http_message *message;
    struct aws_allocator *allocator;
    char *hexadecimal;  // 65 bytes
    int error;
};

// The result comes before aws_sign_request_aws returns, since credentials are given.
static void take_result(struct aws_signing_result *result, int error, void *context) {
    struct signature *signature = context;
    signature->error = error ? error : aws_apply_signing_result_to_http_request(signature->message, signature->allocator, result);
    struct aws_string *text = NULL;
    if (result) aws_signing_result_get_property(result, g_aws_signature_property_name, &text);
    if (text) strncpy(signature->hexadecimal, aws_string_c_str(text), 64);
}

// Signs a request of S3 `count` times, each made anew: in its headers, or in its query for a lifetime above 0.
// Returns the processor's nanoseconds, or -1 where something failed, and the signature in 65 bytes.
double sign_repeatedly(
    int count, const char *method, const char *target, int header_count, const char **names, const char **values,
    const char *access_key_id, const char *secret_access_key, const char *region, const char *moment,
    unsigned long long lifetime, char *hexadecimal) {
    struct aws_allocator *allocator = aws_default_allocator();
    aws_auth_library_init(allocator);
    struct aws_credentials *credentials = aws_credentials_new_from_string(
        allocator, aws_string_new_from_c_str(allocator, access_key_id),
        aws_string_new_from_c_str(allocator, secret_access_key), NULL, UINT64_MAX);
    struct aws_signing_config_aws config = {
        .config_type = AWS_SIGNING_CONFIG_AWS,
        .algorithm = AWS_SIGNING_ALGORITHM_V4,
        .signature_type = lifetime ? AWS_ST_HTTP_REQUEST_QUERY_PARAMS : AWS_ST_HTTP_REQUEST_HEADERS,
        .region = aws_byte_cursor_from_c_str(region),
        .service = aws_byte_cursor_from_c_str("s3"),
        .signed_body_value = lifetime ? g_aws_signed_body_value_unsigned_payload : g_aws_signed_body_value_empty_sha256,
        .signed_body_header = lifetime ? AWS_SBHT_NONE : AWS_SBHT_X_AMZ_CONTENT_SHA256,
        .credentials = credentials,
        .expiration_in_seconds = lifetime,
    };
    struct aws_byte_cursor text = aws_byte_cursor_from_c_str(moment);
    struct signature signature = {.allocator = allocator, .hexadecimal = hexadecimal};
    signature.error = aws_date_time_init_from_str_cursor(&config.date, &text, AWS_DATE_FORMAT_ISO_8601_BASIC);
    memset(hexadecimal, 0, 65);

    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int index = 0; index < count && !signature.error; index++) {
        signature.message = aws_http_message_new_request(allocator);
        aws_http_message_set_request_method(signature.message, aws_byte_cursor_from_c_str(method));
        aws_http_message_set_request_path(signature.message, aws_byte_cursor_from_c_str(target));
        for (int header = 0; header < header_count; header++) {
            struct aws_http_header field = {
                .name = aws_byte_cursor_from_c_str(names[header]), .value = aws_byte_cursor_from_c_str(values[header])};
            aws_http_message_add_header(signature.message, field);
        }
        struct aws_signable *signable = aws_signable_new_http_request(allocator, signature.message);
        int failed = aws_sign_request_aws(
            allocator, signable, (struct aws_signing_config_base *)&config, take_result, &signature);
        if (failed) signature.error = failed;
        aws_signable_destroy(signable);
        aws_http_message_release(signature.message);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    aws_credentials_release(credentials);
    if (signature.error) return -1;
    return (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
}
